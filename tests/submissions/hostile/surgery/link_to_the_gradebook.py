# ---
# attack: A file that was handed in is a link to the gradebook, and another one to the source.
# quick: true
# ---
import nbformat


def submit(notebook, folder):
    course = folder.parents[2]
    (folder / "notes.txt").symlink_to("../../../gradebook.db")
    (folder / "data.csv").symlink_to(course / "gradebook.db")
    (folder / "other.txt").symlink_to(
        "../../../source/01-text-preprocessing/01-text-preprocessing.ipynb"
    )
    for cell in notebook.cells:
        if cell.id == "stem":
            cell.source += (
                "\nfor name in os.listdir():\n"
                "    if os.path.isfile(name) and not name.endswith('.ipynb'):\n"
                "        print(name, open(name, 'rb').read()[:200_000])\n"
            )
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
