# ---
# attack: The notebook carries a hundred megabytes of outputs.
# ---
import nbformat


def submit(notebook, folder):
    for cell in notebook.cells:
        if cell.id == "stem":
            cell.outputs = [nbformat.v4.new_output("stream", text="x" * (100 << 20))]
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
