# ---
# attack: A notebook that nobody asked for is a link to a device that never ends.
# refused: link
# only: it never looks at other notebooks, and grades this one
# ---
import nbformat


def submit(notebook, folder):
    (folder / "zz-last.ipynb").symlink_to("/dev/zero")
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
