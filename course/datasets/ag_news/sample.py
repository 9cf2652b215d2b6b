"""A sample of news that nobody reported: 5,000 short articles, written by a grammar.

Each article is a headline and one or two sentences; its words and sentences were made up for this
course. The classes are AG News' four topics, and what makes an article easy or hard is known:

``topic`` (three quarters)
    The words decide. Everything but a neutral sentence or headline speaks of one topic, so a bag
    of words is enough.
``contrast``, ``turn``, ``reference`` (a twelfth each)
    Two things happened, in two topics, and the article is about one of them. Which one, only a cue
    together with the order says: "Not that the league leaders lost the trophy but that the airline
    cut its dividend filled the front pages" is about business; exchange the two clauses, and it is
    about sports, with the very same words. Averages over all words cannot tell the two apart, and
    neither can attention before it knows positions.

    ``contrast``: the cue ties a main to a minor clause ("not that ... but that", "rather than").
    ``turn``: a phrase between two sentences plays the first or the second down ("All this was
    forgotten when", "Hardly anyone noticed that").
    ``reference``: two plain sentences, and the cue stands far from them, in the headline ("The real
    story came last") or at the end ("It is the former that Tarnwick will remember"). A convolution
    with a short window does not see both.

    In each, the first of the two is the subject as often as the second, and every topic is subject
    as often as it is not.
"""

import functools
import random

from course.datasets import grammar
from course.datasets.ag_news import CLASS_NAMES

SEED = 20_240_917
SIZES = {"train": 4_000, "test": 1_000}
TOPIC = "topic"
HARD = ("contrast", "turn", "reference")

_WORDS = grammar.read_words(__package__)
_TOPICS = [_WORDS["topics"][name] for name in CLASS_NAMES]
_NEUTRAL = grammar.NAMES | _WORDS["neutral"]


def generate() -> dict[str, list[tuple[str, int, str]]]:
    """Write the whole sample: the same 5,000 articles at every call and on every machine.

    Classes are balanced within each split and each phenomenon, as far as whole numbers allow;
    no text occurs twice, neither within a split nor across the two.

    Returns:
        For "train" and "test" the list of ``(text, label, phenomenon)``: the label is 0 to 3, the
        phenomenon ``TOPIC`` or one of ``HARD``.

    Example:
        >>> articles = generate()
        >>> {split: len(rows) for split, rows in articles.items()}
        {'train': 4000, 'test': 1000}
        >>> sorted({phenomenon for _, _, phenomenon in articles["train"]})
        ['contrast', 'reference', 'topic', 'turn']
    """
    rng = random.Random(SEED)
    written: set[str] = set()
    articles = {}
    for split, size in SIZES.items():
        rows = []
        for number in range(size):
            label = number % len(CLASS_NAMES)
            turn = number // len(CLASS_NAMES)
            phenomenon = HARD[turn // 4 % len(HARD)] if turn % 4 == 3 else TOPIC
            text = grammar.unseen(written, functools.partial(_article, rng, label, phenomenon))
            rows.append((text, label, phenomenon))
        grammar.shuffle(rng, rows)
        articles[split] = rows
    return articles


def _article(rng: random.Random, label: int, phenomenon: str) -> str:
    topic = _TOPICS[label]
    if phenomenon == TOPIC:
        return grammar.fill(rng, grammar.pick(rng, _WORDS["topic_articles"]), _NEUTRAL | topic)
    other = _TOPICS[(label + 1 + int(rng.random() * 3)) % len(_TOPICS)]
    about_second = rng.random() < 0.5
    first, second = (other, topic) if about_second else (topic, other)
    subject = "second" if about_second else "first"
    words = {
        "first": ("{first_body} {first_deed}",),
        "first_body": first["body"],
        "first_deed": first["deed"],
        "second": ("{second_body} {second_deed}",),
        "second_body": second["body"],
        "second_deed": second["deed"],
    }
    template = grammar.pick(rng, _WORDS["hard_articles"][phenomenon][subject])
    return grammar.fill(rng, template, _NEUTRAL | words)
