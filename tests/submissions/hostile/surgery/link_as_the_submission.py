# ---
# attack: The whole submission is a link to the source.
# refused: link|missing|regular
# ---


def submit(notebook, folder):
    folder.rmdir()
    folder.symlink_to("../../source/01-text-preprocessing")
