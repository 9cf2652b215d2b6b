# ---
# attack: Twenty thousand files were handed in.
# refused: files|large|space|many
# only: it compares each file with all others
# ---
import nbformat


def submit(notebook, folder):
    (folder / "data").mkdir()
    for number in range(20_000):
        (folder / "data" / f"{number}.txt").touch()
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
