# ---
# attack: The notebook's cells are no list, and its format is a text.
# refused: "."
# ---
import json


def submit(notebook, folder):
    content = {"nbformat": "4", "nbformat_minor": {}, "metadata": None, "cells": {"a": 1}}
    (folder / "01-text-preprocessing.ipynb").write_text(json.dumps(content))
