# ---
# attack: The notebook is a pipe that nobody writes to.
# refused: regular|pipe|missing|read
# ---
import os


def submit(notebook, folder):
    os.mkfifo(folder / "01-text-preprocessing.ipynb")
