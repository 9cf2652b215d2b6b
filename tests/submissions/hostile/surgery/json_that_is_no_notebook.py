# ---
# attack: The notebook is a list.
# refused: cannot be read
# ---


def submit(notebook, folder):
    (folder / "01-text-preprocessing.ipynb").write_text("[1, 2, 3]")
