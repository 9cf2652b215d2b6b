# ---
# attack: The notebook has another name, with commands to a terminal in it.
# repair: has the tasks of
# ---
import nbformat


def submit(notebook, folder):
    nbformat.write(notebook, folder / "[red]\x1b[2J\x1b]0;title\x07 homework.ipynb")
