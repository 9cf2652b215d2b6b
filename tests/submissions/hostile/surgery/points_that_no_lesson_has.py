# ---
# attack: Test cells are tests no longer, whose checksum leaves the points out, and are worth what no
#   number with a point can hold, or nothing that is a number.
# repair: points.* had been changed
# ---
import nbformat
from nbgrader.utils import compute_checksum


def submit(notebook, folder):
    for number, cell in enumerate(notebook.cells):
        if cell.id.startswith("test_"):
            marks = cell.metadata.nbgrader
            points = [10**400, -(10**310), float("nan"), float("inf"), 10**12][number % 5]
            marks.update(grade=False, locked=True, points=points)
            marks.checksum = compute_checksum(cell)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
