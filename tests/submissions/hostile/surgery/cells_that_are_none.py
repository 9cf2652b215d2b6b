# ---
# attack: The notebook's cells are numbers, texts and lists.
# refused: "."
# ---
import json


def submit(notebook, folder):
    content = {"nbformat": 4, "nbformat_minor": 5, "metadata": [], "cells": [1, "x", [], None]}
    (folder / "01-text-preprocessing.ipynb").write_text(json.dumps(content))
