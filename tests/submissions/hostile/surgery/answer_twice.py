# ---
# attack: A solution cell is there twice; the one that counts is wrong.
# fails: {stem: everything}
# reason: stems
# repair: cells are named
# ---
import copy

import nbformat


def submit(notebook, folder):
    place = next(n for n, cell in enumerate(notebook.cells) if cell.id == "stem")
    other = copy.deepcopy(notebook.cells[place])
    other.id, other.source = "other", "def stem(tokens):\n    return []"
    notebook.cells.insert(place + 1, other)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
