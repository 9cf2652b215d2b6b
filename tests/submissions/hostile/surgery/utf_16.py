# ---
# attack: The notebook is written in another encoding.
# ---
import nbformat


def submit(notebook, folder):
    text = nbformat.writes(notebook)
    (folder / "01-text-preprocessing.ipynb").write_text(text, encoding="utf-16")
