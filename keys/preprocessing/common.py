"""What solutions about preprocessing share."""

from __future__ import annotations


def vocabulary_of(documents: list[list[str]]) -> list[str]:
    """All tokens of the documents, each once, sorted."""
    return sorted({token for document in documents for token in document})


# Of the known mistakes of more than one exercise.
VOCABULARY = "sorted({token for document in documents for token in document})"
DEFAULT_PATTERN = (
    "You joined the documents and split them into words again: the default pattern drops "
    "one-letter words and splits at hyphens."
)
