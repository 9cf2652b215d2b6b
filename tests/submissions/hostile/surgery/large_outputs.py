# ---
# attack: The notebook carries ninety megabytes of outputs.
# ---
import nbformat


def submit(notebook, folder):
    for cell in notebook.cells:
        if cell.id == "stem":
            cell.outputs = [nbformat.v4.new_output("stream", text="x" * 90_000_000)]
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
