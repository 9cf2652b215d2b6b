"""From a sentence to the words that a model knows, and back."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

PADDING, UNKNOWN, BLANK = "[pad]", "[unknown]", "[blank]"
SPECIAL = (PADDING, UNKNOWN, BLANK)
"""The first entries of every vocabulary; what fills up, what isn't known, what is asked for."""

_BLANK = re.compile(r"_+")
_WORDS = re.compile(r"\[blank\]|(?:[a-z]\.){2,}|[a-z]+(?:'[a-z]+)*|\d+(?:[.,]\d+)*|[.,!?$]")


def split(sentence: str) -> list[str]:
    """A sentence's words, numbers and punctuation in lower case; ``___`` is a blank.

    Args:
        sentence: English.

    Example:
        >>> split("The company's shares fell ___, to $4.50.")
        ['the', 'company', "'s", 'shares', 'fell', '[blank]', ',', 'to', '$', '4.50', '.']
    """
    text = _BLANK.sub(f" {BLANK} ", sentence.lower().replace("’", "'"))
    found = []
    for word in _WORDS.findall(text):
        if word.endswith("'s") and word != "'s":
            found += [word.removesuffix("'s"), "'s"]
        else:
            found.append(word)
    return found


class Vocabulary:
    """The words that a model knows, and their ids.

    Args:
        words: in the order of their ids, the special ones first.

    Raises:
        ValueError: when a word is there twice.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        if len(set(self.words)) < len(self.words):
            raise ValueError("every word of a vocabulary may be there only once")
        self._ids = {word: number for number, word in enumerate(self.words)}
        self.padding, self.unknown, self.blank = (self._ids[word] for word in SPECIAL)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def ids(self, words: Sequence[str]) -> np.ndarray:
        """Ids of words, integers (time,); of a word that isn't known, the id of ``[unknown]``.

        Example:
            >>> Vocabulary([*SPECIAL, "the", "cat"]).ids(["the", "dog"]).tolist()
            [3, 1]
        """
        return np.array([self._ids.get(word, self.unknown) for word in words], np.int32)
