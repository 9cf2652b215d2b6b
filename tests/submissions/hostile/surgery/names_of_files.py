# ---
# attack: Files have names that are options, commands, very long, or no text.
# ---
import os

import nbformat


def submit(notebook, folder):
    names = ("-rf", "--help", "a\nb", "$(touch touched)", "\x1b[2J", "x" * 255, "%s{0}")
    for name in (*names, "...", " ", "01-text-preprocessing.ipynb.bak", "\u202etxt.exe"):
        (folder / name).write_text("x")
    with open(os.fsencode(folder) + b"/\xff\xfe", "w") as file:
        file.write("x")
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
