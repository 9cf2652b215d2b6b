# ---
# attack: The graded cells say that they are worth a thousand points each.
# repair: points
# ---
import nbformat


def submit(notebook, folder):
    for number, cell in enumerate(notebook.cells):
        if cell.id.startswith("test_"):
            cell.metadata.nbgrader.points = [1000, -5, "many", float("inf"), None][number % 5]
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
