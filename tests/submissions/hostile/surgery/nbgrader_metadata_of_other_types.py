# ---
# attack: nbgrader's metadata are text, lists, numbers, or dicts of what nobody expects.
# ---
import nbformat


def submit(notebook, folder):
    odd = ["text", [], 5, None, True, {"grade_id": {}}, {"grade_id": ["x"], "grade": "yes"}]
    names = [cell for cell in notebook.cells if cell.id.startswith("test_")]
    for cell, value in zip(names, odd * 2):
        cell.metadata = nbformat.from_dict({"nbgrader": value, "tags": value})
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
