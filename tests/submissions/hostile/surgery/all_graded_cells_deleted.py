# ---
# attack: All graded cells are deleted; the answers are right.
# repair: was missing
# ---
import nbformat


def submit(notebook, folder):
    notebook.cells = [cell for cell in notebook.cells if not cell.id.startswith("test_")]
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
