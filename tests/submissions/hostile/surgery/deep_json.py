# ---
# attack: The notebook is a list in a list in a list, a hundred thousand times.
# refused: cannot be read
# ---


def submit(notebook, folder):
    text = "[" * 100_000 + "]" * 100_000
    text = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": ' + text + "}"
    (folder / "01-text-preprocessing.ipynb").write_text(text)
