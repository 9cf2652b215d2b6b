# ---
# attack: The cells stand in the opposite order.
# repair: moved down
# ---
import nbformat


def submit(notebook, folder):
    notebook.cells.reverse()
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
