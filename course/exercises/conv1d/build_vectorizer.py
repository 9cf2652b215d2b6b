"""What ``conv1d.build_vectorizer`` asks for, and what is judged."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.preprocessing.common import WORDS
from selfcheck.aspects import describe, equals, has_shapes, numbers_agree
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise, WrongReturn
from selfcheck.texts import say


def _draw(random: np.random.RandomState, words: tuple[str, ...], count: int) -> list[str]:
    """Different words in random order."""
    return [words[int(index)] for index in random.permutation(len(words))[:count]]


_WORDS_IN_TEXTS = 8


class EmptyVocabulary(ValueError):
    """A student's layer turns every word into the same id."""


class BuildVectorizer(Exercise):
    """A TextVectorization layer with its own standardization, adapted."""

    name = "conv1d.build_vectorizer"
    lesson = "02-conv1d-baseline"
    section = 2
    axes = {"ids": ("texts", "sequence_length"), "vocabulary": ()}
    aspects = (
        Aspect(
            "ids has the shape (texts, sequence_length)",
            10,
            ("plain",),
            has_shapes({"ids": axes["ids"]}),
        ),
        Aspect(
            "the vocabulary is padding, unknown, then words by frequency",
            25,
            ("plain",),
            equals("vocabulary"),
        ),
        Aspect("words have their ids, padding is 0", 20, ("plain",), numbers_agree("ids")),
        Aspect("unknown words get id 1", 10, ("unknown words",), numbers_agree("ids")),
        Aspect("texts that are too long are truncated", 10, ("long texts",), numbers_agree("ids")),
        Aspect(
            "max_tokens limits the vocabulary, including padding and unknown",
            15,
            ("small vocabulary",),
            equals("vocabulary"),
        ),
        Aspect("texts go through your standardize", 10, ("markup",), equals("vocabulary")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Texts to adapt on, in which no two words are equally frequent, and other texts."""
        random = random_state(seed)
        drawn = _draw(random, WORDS, _WORDS_IN_TEXTS + 3)
        known, unknown = drawn[:_WORDS_IN_TEXTS], drawn[_WORDS_IN_TEXTS:]
        # The alphabet's first word is the rarest.
        counts = [int(count) for count in random.permutation(_WORDS_IN_TEXTS) + 1]
        first, rarest = known.index(min(known)), counts.index(1)
        counts[first], counts[rarest] = counts[rarest], counts[first]
        tokens = [word for word, count in zip(known, counts, strict=True) for _ in range(count)]
        # If someone counts word pairs too, none of them may be among the frequent words by chance.
        pairs = Counter()
        while not pairs or max(pairs.values()) > 3:
            tokens = [tokens[int(place)] for place in random.permutation(len(tokens))]
            pairs = Counter(itertools.pairwise(tokens))
        # The first text is too short to hold all words.
        texts = [tokens[start:end] for start, end in ((0, 3), (3, 14), (14, 21), (21, None))]
        short = [_draw(random, tuple(known), count) for count in (2, 4, 3)]
        long = [_draw(random, tuple(known), count) for count in (3, 7, 5)]
        mixed = [[short[0][0], unknown[0]], [unknown[1], *short[1]], [*short[2], unknown[2]]]
        length = int(random.choice([6, 7]))
        room = _WORDS_IN_TEXTS + int(random.choice([4, 5, 6]))
        plain = {
            "texts": [" ".join(words) for words in texts],
            "max_tokens": room,
            "sequence_length": length,
            "new_texts": [" ".join(words) for words in short],
        }
        return (
            Case("plain", plain),
            Case("unknown words", plain | {"new_texts": [" ".join(words) for words in mixed]}),
            Case(
                "long texts",
                plain | {"new_texts": [" ".join(words) for words in long], "sequence_length": 4},
            ),
            # Padding, unknown and half of the words.
            Case(
                "small vocabulary",
                plain | {"max_tokens": 2 + _WORDS_IN_TEXTS // 2, "sequence_length": 5},
            ),
            Case(
                "markup",
                # Room for whatever is taken for a word.
                plain
                | {
                    "max_tokens": 40,
                    "texts": [_marked_up(words) for words in texts],
                    "new_texts": [_marked_up(words) for words in short],
                },
            ),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, look at its vocabulary, call it on the new texts."""
        import tensorflow as tf

        inputs = case.inputs
        layer = obj(list(inputs["texts"]), inputs["max_tokens"], inputs["sequence_length"])
        if not hasattr(layer, "get_vocabulary"):
            raise WrongReturn(
                say("returned {value}; expected a TextVectorization layer", value=describe(layer))
            )
        vocabulary = list(layer.get_vocabulary())
        if set(vocabulary) <= {"", "[UNK]"}:
            raise EmptyVocabulary(
                say("the layer doesn't know any words: it has to be adapted to the texts")
            )
        return {"ids": layer(tf.constant(inputs["new_texts"])), "vocabulary": vocabulary}


def _marked_up(words: list[str]) -> str:
    """Words as reviews have them: a capital letter, a line break, punctuation."""
    first, second, *rest = words
    return f"{first.title()}<br />{second}" + "".join(f", {word}" for word in rest) + "!"


EXERCISE = BuildVectorizer()
