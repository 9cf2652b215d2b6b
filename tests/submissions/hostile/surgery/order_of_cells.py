# ---
# attack: The cells stand in the opposite order.
# lost_from: find_emails
# reason: NameError|not defined
# repair: moved down
# ---
import nbformat


def submit(notebook, folder):
    notebook.cells.reverse()
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
