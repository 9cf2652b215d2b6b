# ---
# attack: A number in the notebook has a million digits.
# refused: cannot be read
# ---
import nbformat


def submit(notebook, folder):
    text = nbformat.writes(notebook)
    text = text.replace('"nbformat": 4', '"nbformat": 4, "more": ' + "9" * 1_000_000)
    (folder / "01-text-preprocessing.ipynb").write_text(text)
