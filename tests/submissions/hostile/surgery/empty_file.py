# ---
# attack: The notebook is an empty file.
# refused: cannot be read
# ---


def submit(notebook, folder):
    (folder / "01-text-preprocessing.ipynb").touch()
