# ---
# attack: The notebook is no JSON.
# refused: cannot be read
# ---


def submit(notebook, folder):
    (folder / "01-text-preprocessing.ipynb").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe\x00")
