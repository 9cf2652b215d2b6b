"""A sample of news that nobody reported, in 38 categories: 3,800 short texts, written by a grammar.

Each text is a headline and a short description; words and sentences were made up for this course,
and only some names of categories are the data set's. The sizes of the categories are skewed as in
the real data: the largest has a seventh of the texts, the smallest less than a hundredth. What
makes a text easy or hard is known:

``topic`` (three quarters)
    The words decide: everything that is not neutral speaks of one category.
``mixed`` (a quarter)
    The words are of two categories, and the text belongs to one of them. Which one, only the order
    says: "The landlord raised the rent while Tarnwick looked at how the choir sang a psalm" is
    about religion; exchange the two clauses, and it is about the home, with the very same words.

    For each two categories as many texts belong to the one as to the other, and the first of the
    two clauses decides about as often as the second.
"""

import functools
import random
import string
from itertools import accumulate

from course.datasets import grammar

SEED = 20_241_019
SIZES = {"train": 3_000, "test": 800}
TOPIC = "topic"
MIXED = "mixed"

_WORDS = grammar.read_words(__package__)
_TOPICS = _WORDS["categories"]
_NEUTRAL = grammar.NAMES | _WORDS["neutral"]
CLASS_NAMES = tuple(sorted(_TOPICS))
_LABELS = {name: label for label, name in enumerate(CLASS_NAMES)}


def generate() -> dict[str, list[tuple[str, int, str]]]:
    """Write the whole sample: the same 3,800 texts at every call and on every machine.

    No text occurs twice, neither within a split nor across the two.

    Returns:
        For "train" and "test" the list of ``(text, label, phenomenon)``: the label is an index into
        ``CLASS_NAMES``, the phenomenon ``TOPIC`` or ``MIXED``.

    Example:
        >>> news = generate()
        >>> {split: len(rows) for split, rows in news.items()}
        {'train': 3000, 'test': 800}
        >>> sorted({phenomenon for _, _, phenomenon in news["train"]})
        ['mixed', 'topic']
    """
    rng = random.Random(SEED)
    written: set[str] = set()
    news = {}
    for split, size in SIZES.items():
        pairs = size // 8  # of mixed texts: each two categories once in this role and once in that
        subjects = _skewed(size - 2 * pairs)
        rows = []
        for name in subjects:
            text = grammar.unseen(written, functools.partial(_topic, rng, name))
            rows.append((text, _LABELS[name], TOPIC))
        for _ in range(pairs):
            one = other = grammar.pick(rng, subjects)
            while other == one:
                other = grammar.pick(rng, subjects)
            for name, background in ((one, other), (other, one)):
                text = grammar.unseen(written, functools.partial(_mixed, rng, name, background))
                rows.append((text, _LABELS[name], MIXED))
        grammar.shuffle(rng, rows)
        news[split] = rows
    return news


def _skewed(size: int) -> list[str]:
    """List category names, ``size`` in all: the r-th as often as 1 / (r + 1) says."""
    shares = list(accumulate(10_000 // (rank + 1) for rank in range(1, len(_TOPICS) + 1)))
    ends = [size * share // shares[-1] for share in shares]
    return [
        name
        for name, start, end in zip(_TOPICS, [0, *ends], ends, strict=False)
        for _ in range(end - start)
    ]


def _topic(rng: random.Random, name: str) -> str:
    headline, description = grammar.pick(rng, _WORDS["topic_texts"])
    return _text(rng, headline, description, _TOPICS[name])


def _mixed(rng: random.Random, name: str, background: str) -> str:
    about_second = rng.random() < 0.5
    first, second = (background, name) if about_second else (name, background)
    subject = "second" if about_second else "first"
    words = {
        "first": ("{first_who} {first_did}",),
        "first_who": _TOPICS[first]["who"],
        "first_did": _TOPICS[first]["did"],
        "second": ("{second_who} {second_did}",),
        "second_who": _TOPICS[second]["who"],
        "second_did": _TOPICS[second]["did"],
    }
    return _text(rng, "{teaser}", grammar.pick(rng, _WORDS["mixed_texts"][subject]), words)


def _text(rng: random.Random, headline: str, description: str, words: dict) -> str:
    words = _NEUTRAL | words
    headline = string.capwords(grammar.fill(rng, headline, words))
    return f"{headline} {grammar.fill(rng, description, words)}"
