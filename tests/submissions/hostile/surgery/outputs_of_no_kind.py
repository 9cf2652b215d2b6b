# ---
# attack: The outputs in the file follow no schema, and say that all is well.
# ---
import json

import nbformat


def submit(notebook, folder):
    content = json.loads(nbformat.writes(notebook))
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "evil", "text": 5}, {"output_type": "error"}]
            cell["execution_count"] = "many"
    (folder / "01-text-preprocessing.ipynb").write_text(json.dumps(content))
