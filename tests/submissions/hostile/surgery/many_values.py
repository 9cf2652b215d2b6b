# ---
# attack: The notebook's metadata hold ten million empty dictionaries.
# quick: true
# refused: lists and dictionaries
# ---
import nbformat


def submit(notebook, folder):
    text = nbformat.writes(notebook)
    crafted = '"metadata": {"many": [' + "{}," * 10_000_000 + "{}],"
    whole = text.rpartition('"metadata": {')
    (folder / "01-text-preprocessing.ipynb").write_text(whole[0] + crafted + whole[2])
