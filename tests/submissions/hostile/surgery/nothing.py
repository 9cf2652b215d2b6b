# ---
# attack: The submission's folder is empty.
# refused: missing
# ---


def submit(notebook, folder):
    pass
