# ---
# attack: The notebook is a link to one that another student has handed in.
# refused: link|missing|regular
# only: it follows the link
# ---


def submit(notebook, folder):
    other = next(
        path
        for path in sorted(folder.parents[1].glob("*/01-text-preprocessing/*.ipynb"))
        if path.is_file() and not path.is_symlink() and path.parent != folder
    )
    (folder / "01-text-preprocessing.ipynb").symlink_to(other)
