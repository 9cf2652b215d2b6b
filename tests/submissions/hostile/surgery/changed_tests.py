# ---
# attack: All graded cells give points, whatever the answers are; one answer is wrong.
# fails: {stem: everything}
# reason: stems
# repair: the text of
# ---
import nbformat


def submit(notebook, folder):
    for cell in notebook.cells:
        if cell.id.startswith("test_"):
            cell.source = "4.0"
            cell.metadata.nbgrader.checksum = "0" * 32
        if cell.id == "stem":
            cell.source = "def stem(tokens):\n    return []"
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
