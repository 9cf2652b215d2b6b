# ---
# attack: The graded cells say that they are solutions, and the wrong answer that it is a test.
# fails: {stem: everything}
# reason: stems
# repair: had been changed
# ---
import nbformat


def submit(notebook, folder):
    for cell in notebook.cells:
        if cell.id.startswith("test_"):
            cell.metadata.nbgrader.update(grade=False, solution=True, locked=False)
        if cell.id == "test_stem":
            cell.source = "1.0"
        if cell.id == "stem":
            cell.metadata.nbgrader.update(grade=True, solution=False, locked=True, points=1)
            cell.source = "def stem(tokens):\n    return []"
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
