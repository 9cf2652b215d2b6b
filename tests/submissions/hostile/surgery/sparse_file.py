# ---
# attack: A file with holes seems to be a terabyte large, and takes no room until it is copied.
# quick: true
# refused: files.*take
# ---
import nbformat


def submit(notebook, folder):
    with (folder / "data.bin").open("wb") as file:
        file.truncate(1 << 40)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
