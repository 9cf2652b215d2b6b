# ---
# attack: There is a graded cell more, worth a hundred points, which gives itself all of them.
# repair: that the lesson doesn't have
# ---
import nbformat


def submit(notebook, folder):
    marks = {
        "cell_type": "code",
        "grade": True,
        "grade_id": "test_present",
        "locked": True,
        "points": 100,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    cell = nbformat.v4.new_code_cell("100.0", metadata={"nbgrader": marks})
    notebook.cells.append(cell)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
