# ---
# attack: The notebook is a folder.
# refused: regular|folder|missing|read
# ---


def submit(notebook, folder):
    (folder / "01-text-preprocessing.ipynb").mkdir()
