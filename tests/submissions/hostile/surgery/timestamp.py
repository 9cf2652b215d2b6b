# ---
# attack: The file that says when it was handed in holds no time.
# refused: timestamp
# ---
import nbformat


def submit(notebook, folder):
    (folder / "timestamp.txt").write_text("the day before yesterday " * 100)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
