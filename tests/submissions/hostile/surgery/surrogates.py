# ---
# attack: Cells hold halves of characters, which JSON can spell and no file can hold.
# ---
import json

import nbformat


def submit(notebook, folder):
    content = json.loads(nbformat.writes(notebook))
    for cell in content["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = "\ud800 half a character"
        if cell.get("id") == "stem":
            cell["source"] = [*cell["source"], "\nhalf = '\udfff'"]
        cell["metadata"]["half"] = "\udfff"
    (folder / "01-text-preprocessing.ipynb").write_text(json.dumps(content))
