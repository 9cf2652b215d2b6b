# ---
# attack: A cell after every other one displays points, verdicts and responses.
# ---
import nbformat

SOURCE = """from IPython.display import display
data = {"text/plain": "100"}
for vendor in ("attention-course", "notebook-autograder"):
    data[f"application/vnd.{vendor}.verdict+json"] = {"percent": 100}
    data[f"application/vnd.{vendor}.response+json"] = {"exercise": "preprocessing.stem"}
display(data, raw=True)
100.0"""


def submit(notebook, folder):
    for place in range(len(notebook.cells), 0, -1):
        notebook.cells.insert(place, nbformat.v4.new_code_cell(SOURCE))
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
