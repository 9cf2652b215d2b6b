# ---
# attack: The texts of cells are numbers, and cells lack type, text and metadata.
# repair: isn't text
# ---
import json

import nbformat


def submit(notebook, folder):
    content = json.loads(nbformat.writes(notebook))
    for number, cell in enumerate(content["cells"]):
        if cell.get("id", "").startswith("test_"):
            cell["source"] = [5, {"a": 1}, None, [[]], True][number % 5]
        elif number % 3 == 0:
            cell.pop("metadata")
    (folder / "01-text-preprocessing.ipynb").write_text(json.dumps(content))
