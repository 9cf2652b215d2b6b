"""Students' guesses, as their notebooks carry them; nothing of them is ever graded."""

MIME = "application/vnd.selfcheck.guess+json"
"""Of an output that holds one: its ``name``, the ``guess``, and whether it is ``right``."""
