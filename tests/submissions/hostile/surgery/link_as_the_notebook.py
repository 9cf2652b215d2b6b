# ---
# attack: The notebook is a link to the instructor's, with all solutions.
# refused: link|missing|regular
# only: it follows the link
# ---


def submit(notebook, folder):
    (folder / "01-text-preprocessing.ipynb").symlink_to(
        "../../../source/01-text-preprocessing/01-text-preprocessing.ipynb"
    )
