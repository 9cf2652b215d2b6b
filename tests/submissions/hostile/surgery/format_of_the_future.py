# ---
# attack: The notebook says that its format is the ninety-ninth.
# ---
import json

import nbformat


def submit(notebook, folder):
    content = json.loads(nbformat.writes(notebook)) | {"nbformat": 99}
    (folder / "01-text-preprocessing.ipynb").write_text(json.dumps(content))
