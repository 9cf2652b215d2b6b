# ---
# attack: The notebook has no cells at all.
# lost_from: find_emails
# reason: "."
# repair: was missing
# ---
import nbformat


def submit(notebook, folder):
    notebook.cells = []
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
