"""A sample of reviews of films that nobody made: 2,500 of them, written by a grammar.

Words and sentences were made up for this course. As in the real reviews, lengths differ (40 to 250
words), paragraphs are parted by ``<br /><br />``, and most of a review tells the story, the evening
in the cinema and other things that are no opinion. What makes a review easy or hard is known:

``plain`` (half)
    The words decide: all opinions are of one kind, so a bag of words is enough.
``negation`` (a quarter)
    Opinions come in twos, of which one is denied and the other is not: "The music is far from dull
    and the ending is truly gripping" is positive; exchange "dull" and "gripping", and it is
    negative, with the very same words. Two to four neighbouring words tell the two apart, as a
    convolution sees them and a bag of words does not.
``late`` (a quarter)
    A long review whose opening announces a change of mind. Its first opinions are of one kind, its
    last ones of the other, as many and of the same forms, and the last ones are the verdict. At
    least 60 words lie between the opening with its opinions and the verdict, and nothing close to
    an opinion says which of the two it is: a convolution with a short window does not see it. What
    helps is to know where in the review a word is.

Both classes are equally frequent in each phenomenon, and denials, openings and paragraphs are drawn
without regard to the class.
"""

import functools
import random
from collections.abc import Mapping, Sequence

from course.datasets import grammar
from course.datasets.imdb import CLASS_NAMES

SEED = 20_241_009
SIZES = {"train": 2_000, "test": 500}
PLAIN = "plain"
HARD = ("negation", "late")
BREAK = "<br /><br />"

_WORDS = grammar.read_words(__package__)
_OPINIONS = [_WORDS["opinions"][name] for name in CLASS_NAMES]
_SLOTS = grammar.NAMES | _WORDS["slots"]


def generate() -> dict[str, list[tuple[str, int, str]]]:
    """Write the whole sample: the same 2,500 reviews at every call and on every machine.

    Classes are balanced within each split and each phenomenon, as far as whole numbers allow;
    no text occurs twice, neither within a split nor across the two.

    Returns:
        For "train" and "test" the list of ``(text, label, phenomenon)``: the label is 0 or 1, the
        phenomenon ``PLAIN`` or one of ``HARD``.

    Example:
        >>> reviews = generate()
        >>> {split: len(rows) for split, rows in reviews.items()}
        {'train': 2000, 'test': 500}
        >>> sorted({phenomenon for _, _, phenomenon in reviews["train"]})
        ['late', 'negation', 'plain']
    """
    rng = random.Random(SEED)
    written: set[str] = set()
    reviews = {}
    for split, size in SIZES.items():
        rows = []
        for number in range(size):
            label = number % len(CLASS_NAMES)
            turn = number // len(CLASS_NAMES)
            phenomenon = HARD[turn // 2 % len(HARD)] if turn % 2 else PLAIN
            text = grammar.unseen(written, functools.partial(_review, rng, label, phenomenon, turn))
            rows.append((text, label, phenomenon))
        grammar.shuffle(rng, rows)
        reviews[split] = rows
    return reviews


def _review(rng: random.Random, label: int, phenomenon: str, turn: int) -> str:
    # No sentence is used twice in a review.
    neutral, verdicts, denials = (
        _Deck(rng, _WORDS[kind]) for kind in ("neutral", "verdicts", "denials")
    )
    if phenomenon == "late":
        count = 2 + int(rng.random() * 2)
        opening, closing = (
            verdicts.draw(count, _OPINIONS[which]) + neutral.draw_words(10)
            for which in (1 - label, label)
        )
        grammar.shuffle(rng, opening)
        grammar.shuffle(rng, closing)
        middle = neutral.draw_words(60 + int(rng.random() * 35))
        # In turns, so that each announcement is as often in the one class as in the other.
        changes = _WORDS["changes"]
        change = grammar.fill(rng, changes[turn // 4 % len(changes)], _SLOTS)
        # Neither the announcement nor the end of the text is next to an opinion.
        sentences = [change, *neutral.draw(1), *opening, *middle, *closing, *neutral.draw(1)]
    else:
        # Most are short, a few are as long as the late ones.
        length = 40 + int(rng.random() * rng.random() * 170)
        count = 3 + length // 50
        if phenomenon == PLAIN:
            opinions = verdicts.draw(count, _OPINIONS[label])
        else:
            no, yes = (_OPINIONS[which]["adjective"] for which in (1 - label, label))
            opinions = denials.draw(count - 1, {"no": no, "yes": yes})
        sentences = opinions + neutral.draw_words(length - _count_words(opinions))
        grammar.shuffle(rng, sentences)
    text = sentences[0]
    for sentence in sentences[1:]:
        text += (BREAK if rng.random() < 0.2 else " ") + sentence
    return text


class _Deck:
    """Sentences in random order, each to be drawn once."""

    def __init__(self, rng: random.Random, templates: Sequence[str]) -> None:
        self._rng = rng
        self._templates = list(templates)
        grammar.shuffle(rng, self._templates)

    def draw(self, count: int, slots: Mapping[str, Sequence[str]] = {}) -> list[str]:
        words = _SLOTS | slots
        return [grammar.fill(self._rng, self._templates.pop(), words) for _ in range(count)]

    def draw_words(self, count: int) -> list[str]:
        """Draw sentences until they have that many words."""
        sentences = []
        while _count_words(sentences) < count:
            sentences += self.draw(1)
        return sentences


def _count_words(sentences: list[str]) -> int:
    return sum(sentence.count(" ") + 1 for sentence in sentences)
