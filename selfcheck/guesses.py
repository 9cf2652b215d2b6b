"""Students' guesses, as stored in their notebooks; they are never graded."""

MIME = "application/vnd.selfcheck.guess+json"
"""The MIME type of a guess: its ``name``, the ``guess``, and whether it's ``right``."""
