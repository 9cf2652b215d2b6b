# ---
# attack: A file was handed in that is larger than a kernel's disk.
# refused: files|large|space
# ---
import nbformat


def submit(notebook, folder):
    with (folder / "data.bin").open("wb") as file:
        file.truncate(200 << 20)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
