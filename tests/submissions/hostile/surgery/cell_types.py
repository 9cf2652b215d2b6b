# ---
# attack: Graded cells become text, and text becomes code.
# repair: had the type
# ---
import nbformat


def submit(notebook, folder):
    kinds = ("markdown", "raw")
    for number, cell in enumerate(notebook.cells):
        if cell.id.startswith("test_"):
            cell.cell_type = kinds[number % 2]
            cell.pop("outputs")
            cell.pop("execution_count")
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
