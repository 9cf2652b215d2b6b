# ---
# attack: The graded cells carry the tag that has them skipped.
# repair: skip-execution
# ---
import nbformat


def submit(notebook, folder):
    for cell in notebook.cells:
        if cell.id.startswith("test_"):
            cell.metadata.tags = ["skip-execution", "demonstration", "hide-input"]
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
