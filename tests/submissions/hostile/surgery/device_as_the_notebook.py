# ---
# attack: The notebook is a link to a device that never ends.
# refused: link|missing|regular
# only: it reads the device until memory is full
# ---


def submit(notebook, folder):
    (folder / "01-text-preprocessing.ipynb").symlink_to("/dev/zero")
