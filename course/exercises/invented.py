"""Texts of invented words, put together from syllables.

No table holds all the words, so an answer has to look at the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


# Syllables and letters that can't form offensive words.
_SYLLABLES = _listed(
    "bel bor cam car cor dan del dor fal fen gar gil hal jor kal kel lan lem lor mal mel mor "
    "nel pal per pol rel ril rol sal sel sor tal tor val vel vor zan"
)
_TOP_LEVEL = ("com", "org", "net", "edu", "info")
_CONTRACTIONS = ("don't", "isn't", "won't", "it's", "she'll", "you're")
_ACCENTED = ("café", "naïve", "señor", "façade", "déjà", "über", "crème", "fiancé")
_ONSETS = _listed("b bl br c cl cr d dr f fl fr h k l m p pl pr r s sp st t tr v")
_VOWELS = ("a", "o")
_PAIRS = ("lk", "lt", "nd", "lm")
_SINGLES = ("b", "v")

_PLACE = re.compile(r"(§[a-zA-Z][0-9]?)")


def written(random: np.random.RandomState, pattern: str) -> str:
    """Write a text.

    Args:
        random: the case's generator.
        pattern: the text, with a sign for whatever is drawn: ``§w`` a word, ``§C`` one with a
            capital letter, ``§U`` one in capital letters, ``§t`` and ``§T`` a top-level domain,
            ``§c`` a contraction, ``§e`` a word with an accent, ``§n`` a number of two digits,
            ``§d`` one of a single digit and ``§y`` a syllable; of a syllable ``§o`` the consonants
            before its vowel, ``§v`` the vowel, ``§p`` two consonants after it and ``§s`` a single
            one. What has a digit is drawn once: ``§w1`` is the same word wherever it comes back.

    Example:
        >>> written(np.random.RandomState(1), "§w1, §w1 §C§n")
        'halfalfen, halfalfen Dankelbel26'
    """
    once: dict[str, str] = {}
    written = ""
    for part in _PLACE.split(pattern):
        if not part.startswith("§"):
            written += part
            continue
        drawn = once[part] if part in once else _DRAWN[part[1]](random)
        if len(part) > 2:
            once[part] = drawn
        written += drawn
    return written


def _one(random: np.random.RandomState, among: Sequence[str]) -> str:
    return among[int(random.randint(len(among)))]


def _word(random: np.random.RandomState) -> str:
    return "".join(_one(random, _SYLLABLES) for _ in range(int(random.randint(2, 4))))


_DRAWN: dict[str, Callable[[np.random.RandomState], str]] = {
    "w": _word,
    "C": lambda random: _word(random).capitalize(),
    "U": lambda random: _word(random).upper(),
    "t": lambda random: _one(random, _TOP_LEVEL),
    "T": lambda random: _one(random, _TOP_LEVEL).upper(),
    "c": lambda random: _one(random, _CONTRACTIONS),
    "e": lambda random: _one(random, _ACCENTED),
    "n": lambda random: str(random.randint(10, 100)),
    "d": lambda random: str(random.randint(1, 10)),
    "y": lambda random: _one(random, _SYLLABLES),
    "o": lambda random: _one(random, _ONSETS),
    "v": lambda random: _one(random, _VOWELS),
    "p": lambda random: _one(random, _PAIRS),
    "s": lambda random: _one(random, _SINGLES),
}
