# ---
# attack: A graded cell is there twice, once with text that gives points.
# fails: {stem: everything}
# reason: stems
# repair: cells are named
# ---
import copy

import nbformat


def submit(notebook, folder):
    for cell in list(notebook.cells):
        if cell.id == "stem":
            cell.source = "def stem(tokens):\n    return []"
        if cell.id == "test_stem":
            for place, name in ((0, "first"), (len(notebook.cells), "last")):
                other = copy.deepcopy(cell)
                other.id, other.source = name, "1.0"
                notebook.cells.insert(place, other)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
