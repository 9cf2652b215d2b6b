# ---
# attack: The cells' metadata say that they are older, or newer, than nbgrader can read.
# ---
import nbformat


def submit(notebook, folder):
    cells = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    for cell, version in zip(cells, [0, 1, 2, 99, "3", None, -1, 10**30] * 9):
        cell.metadata.nbgrader.schema_version = version
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
