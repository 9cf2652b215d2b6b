"""Whether somebody sits before this kernel, in a program that shows widgets."""

from __future__ import annotations

import os
import sys


def is_graded() -> bool:
    """Whether nbgrader executes this, to grade or to validate."""
    return "NBGRADER_EXECUTION" in os.environ


def shows_widgets() -> bool:
    """Whether JupyterLab, Notebook, VS Code or Colab has opened this notebook.

    In a notebook that is executed unattended, such as by nbclient or nbconvert, nobody can click.
    """
    if is_graded():
        return False
    if "google.colab" in sys.modules or "JPY_SESSION_NAME" in os.environ:
        return True
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and "__vsc_ipynb_file__" in shell.user_ns
