# ---
# attack: Other notebooks lie beside the one that counts, one of them unreadable.
# ---
import nbformat


def submit(notebook, folder):
    (folder / "00-first.ipynb").write_text("{ no notebook")
    (folder / "zz-last.ipynb").write_text("[]")
    (folder / "02-conv1d-baseline.ipynb").write_text("{}")
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
