"""What the sample grammars share: drawing, shuffling and filling templates, the same everywhere.

Only ``random.Random.random()`` is used. Python promises that an integer seed gives the same
sequence of it in every version and on every machine; ``choice`` and ``shuffle`` come without
that promise, and a sample has to be identical byte for byte.
"""

import random
import re
import tomllib
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from importlib.resources import files
from typing import Any

_SLOT = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")


def read_words(package: str, file: str = "words.toml") -> dict[str, Any]:
    """Read the words and sentences of a grammar, which lie beside its code.

    Args:
        package: The package.
        file: A TOML file in it.
    """
    return tomllib.loads(files(package).joinpath(file).read_text("utf8"))


NAMES = read_words("course.data.datasets", "names.toml")


def pick(rng: random.Random, options: Sequence):
    """Draw one of ``options``, each with the same probability.

    Args:
        rng: The source of randomness.
        options: At least one thing to choose from.

    Returns:
        One element of ``options``.

    Example:
        >>> pick(random.Random(1), ["ballot", "medal", "merger"])
        'ballot'
    """
    return options[int(rng.random() * len(options))]


def shuffle(rng: random.Random, items: MutableSequence) -> None:
    """Put ``items`` into a random order, in place.

    Args:
        rng: The source of randomness.
        items: What to reorder.

    Example:
        >>> letters = list("abcde")
        >>> shuffle(random.Random(1), letters)
        >>> "".join(letters)
        'becda'
    """
    for last in range(len(items) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        items[last], items[other] = items[other], items[last]


def fill(rng: random.Random, template: str, words: Mapping[str, Sequence[str]]) -> str:
    """Replace the slots of a template until none is left.

    ``{slot}`` becomes a random option of ``words["slot"]``, which may hold slots itself.
    ``{Slot}`` is the same with its first letter in upper case. "a" before a vowel letter becomes
    "an".

    Args:
        rng: The source of randomness.
        template: Text with slots.
        words: For each slot its options.

    Returns:
        The text without slots.

    Example:
        >>> words = {"place": ["a {size} town"], "size": ["old"]}
        >>> fill(random.Random(1), "{Place} wakes up.", words)
        'An old town wakes up.'
    """

    if "{" not in template:
        return template

    def replace(match: re.Match) -> str:
        slot = match[1]
        chosen = fill(rng, pick(rng, words[slot.lower()]), words)
        return chosen[0].upper() + chosen[1:] if slot[0].isupper() else chosen

    return _ARTICLE.sub(r"\1n ", _SLOT.sub(replace, template))


def unseen(written: set[str], write: Callable[[], str]) -> str:
    """Write texts until there is a new one, and remember it.

    Args:
        written: The texts so far; the new one is added.
        write: What writes a text.

    Returns:
        A text that was not in ``written``.

    Example:
        >>> drafts = iter(["again", "again", "at last"])
        >>> unseen({"again"}, lambda: next(drafts))
        'at last'
    """
    while (text := write()) in written:
        pass
    written.add(text)
    return text
