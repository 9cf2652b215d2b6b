# ---
# attack: The file that says when it was handed in is a pipe that nobody writes to.
# refused: regular|pipe|timestamp
# only: it waits for somebody who writes to the pipe
# ---
import os

import nbformat


def submit(notebook, folder):
    os.mkfifo(folder / "timestamp.txt")
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
