# ---
# attack: Folders lie in one another, hundreds deep, with a file at the end.
# ---
import os

import nbformat


def submit(notebook, folder):
    before = os.getcwd()
    os.chdir(folder)
    for _ in range(300):
        os.mkdir("deeper")
        os.chdir("deeper")
    with open("file.txt", "w") as file:
        file.write("x")
    os.chdir(before)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
