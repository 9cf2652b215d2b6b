# ---
# attack: A second notebook with holes seems to be a terabyte large.
# quick: true
# refused: notebooks are .* large
# ---
import nbformat


def submit(notebook, folder):
    with (folder / "another.ipynb").open("wb") as file:
        file.truncate(1 << 40)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
