# ---
# attack: The graded cell of a wrong answer is deleted.
# quick: true
# fails: {stem: everything}
# reason: stems
# repair: was missing
# ---
import nbformat


def submit(notebook, folder):
    notebook.cells = [cell for cell in notebook.cells if cell.id != "test_stem"]
    for cell in notebook.cells:
        if cell.id == "stem":
            cell.source = "def stem(tokens):\n    return []"
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
