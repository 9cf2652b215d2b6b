# ---
# attack: All cells have the same id, or ids that are none.
# ---
import json

import nbformat


def submit(notebook, folder):
    content = json.loads(nbformat.writes(notebook))
    for number, cell in enumerate(content["cells"]):
        cell["id"] = ["same", "same", "../x", "\u0000", "x" * 1000, ""][number % 6]
    (folder / "01-text-preprocessing.ipynb").write_text(json.dumps(content))
