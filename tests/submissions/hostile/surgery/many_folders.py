# ---
# attack: Folders use up the files that a sandbox has room for.
# quick: true
# refused: files and folders
# ---
import nbformat


def submit(notebook, folder):
    for number in range(9_990):
        (folder / str(number)).mkdir()
        if not number % 2:
            (folder / str(number) / "file.txt").touch()
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
