# ---
# attack: There are ten thousand cells.
# refused: cells; the maximum is 5,000 at most
# ---
import nbformat


def submit(notebook, folder):
    for number in range(10_000):
        cell = nbformat.v4.new_markdown_cell("x")
        notebook.cells.append(cell)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
