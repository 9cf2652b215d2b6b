# ---
# attack: Cells carry megabytes of attachments and metadata.
# ---
import nbformat


def submit(notebook, folder):
    for cell in notebook.cells[:5]:
        if cell.cell_type == "markdown":
            cell.attachments = {"../../x.png": {"image/png": "x" * (4 << 20)}}
        cell.metadata["filling"] = {"x": ["y" * 1000] * 1000}
    notebook.metadata["filling"] = "x" * (4 << 20)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
