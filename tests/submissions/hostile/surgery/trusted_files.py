# ---
# attack: Files are handed in that are configuration, modules and databases elsewhere.
# ---
import nbformat

CODE = """import os
import pathlib

pathlib.Path(os.path.expanduser("~"), "hostile-was-here").write_text("hostile")
raise SystemExit(77)
"""


def submit(notebook, folder):
    names = ("nbgrader_config.py", "jupyter_config.py", "sitecustomize.py", "usercustomize.py")
    names += ("ipython_config.py", "conftest.py", "gradebook.db", "alembic.ini", ".autograder")
    names += ("jupyter_nbconvert_config.py", "pyproject.toml", "setup.py", ".env", ".pythonrc.py")
    for name in names:
        (folder / name).write_text(CODE)
    for package in ("autograder", "nbgrader", "nbformat", "psutil"):
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text(CODE)
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
