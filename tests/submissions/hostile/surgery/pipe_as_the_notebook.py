# ---
# attack: The notebook is a pipe that nobody writes to.
# refused: regular|pipe|missing|read
# only: it waits for somebody who writes to the pipe
# ---
import os


def submit(notebook, folder):
    os.mkfifo(folder / "01-text-preprocessing.ipynb")
