# ---
# attack: None; the notebook was saved in the format before the current one.
# ---
import nbformat


def submit(notebook, folder):
    old = nbformat.convert(notebook, 3)
    (folder / "01-text-preprocessing.ipynb").write_text(nbformat.writes(old, version=3))
