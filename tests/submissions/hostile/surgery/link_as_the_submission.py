# ---
# attack: The whole submission is a link to the source.
# refused: link|missing|regular
# only: it follows the link
# ---


def submit(notebook, folder):
    folder.rmdir()
    folder.symlink_to("../../source/01-text-preprocessing")
