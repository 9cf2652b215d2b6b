"""What ``conv1d.build_vectorizer`` asks for, and what is judged."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.preprocessing.common import WORDS
from selfcheck.aspects import describe, equals, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation, WrongReturn
from selfcheck.sampling import random_state
from selfcheck.texts import say


def _draw(random: np.random.RandomState, words: tuple[str, ...], count: int) -> list[str]:
    """Different words in random order."""
    return [words[int(index)] for index in random.permutation(len(words))[:count]]


_COUNTS = (1, 6, 3, 8, 4, 2, 7, 5)
"""How often each word is in the texts, in the alphabet's order: the alphabet's first word is the
rarest, and no seed decides what else an order by the alphabet gets right."""

_WORDS_IN_TEXTS = len(_COUNTS)


# More texts than a batch, and than the first thousand. A prime number: no batch ends with them.
_MANY = 1103
_MANY_AT_THE_END = 72


def _vocabulary_and_ids(observation: Observation) -> str:
    return equals("vocabulary")(observation) or numbers_agree("ids")(observation)


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
            20,
            ("plain",),
            equals("vocabulary"),
        ),
        Aspect(
            "words have their ids, padding is 0",
            20,
            ("plain", "more ids than words"),
            numbers_agree("ids"),
        ),
        Aspect("unknown words get id 1", 10, ("unknown words",), numbers_agree("ids")),
        Aspect("texts that are too long are truncated", 10, ("long texts",), numbers_agree("ids")),
        Aspect(
            "max_tokens limits the vocabulary, including padding and unknown",
            10,
            ("small vocabulary",),
            _vocabulary_and_ids,
        ),
        Aspect("texts go through your standardize", 10, ("markup",), _vocabulary_and_ids),
        Aspect("all texts count, however many", 10, ("many texts",), _vocabulary_and_ids),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Texts to adapt on, in which no two words are equally frequent, and other texts."""
        random = random_state(seed)
        drawn = _draw(random, WORDS, _WORDS_IN_TEXTS + 3)
        known, unknown = sorted(drawn[:_WORDS_IN_TEXTS]), drawn[_WORDS_IN_TEXTS:]
        ranked = [word for _, word in sorted(zip(_COUNTS, known, strict=True), reverse=True)]
        tokens = [word for word, count in zip(known, _COUNTS, strict=True) for _ in range(count)]
        # The first text is too short to hold all words, and the rarest one is in it alone.
        start = ranked[-3:]
        for word in start:
            tokens.remove(word)
        texts: list[list[str]] = []
        while not texts or _misleading(texts, ranked[0]) or not _told(texts, ranked):
            tokens = [tokens[int(place)] for place in random.permutation(len(tokens))]
            texts = [start, tokens[:11], tokens[11:18], tokens[18:]]
        # In these, the rarest word is always or never.
        others, rare = tuple(ranked[:-1]), ranked[-1]
        short = [[*_draw(random, others, count), rare] for count in (1, 3, 2)]
        long = [[*_draw(random, others, 2), rare]]
        long += [_draw(random, others, count) for count in (7, 4, 5)]
        mixed = [[short[0][0], unknown[0]], [unknown[1], *short[1]], [*short[2], unknown[2]], []]
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
            Case(
                "more ids than words",
                plain | {"new_texts": plain["new_texts"][1:2], "sequence_length": len(tokens)},
            ),
            Case("unknown words", plain | {"new_texts": [" ".join(words) for words in mixed]}),
            Case(
                "long texts",
                plain | {"new_texts": [" ".join(words) for words in long], "sequence_length": 4},
            ),
            # Padding, unknown and half of the words.
            Case(
                "small vocabulary",
                plain
                | {
                    "max_tokens": 2 + _WORDS_IN_TEXTS // 2,
                    "sequence_length": 5,
                    # The words on both sides of the limit.
                    "new_texts": [" ".join(_draw(random, tuple(ranked[1:6]), 5)), ranked[0]],
                },
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
            # Other words in as many ids as before.
            Case("many texts", plain | _many(drawn[:6])),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, look at its vocabulary, call it on the new texts."""
        import keras
        import tensorflow as tf

        inputs = case.inputs
        texts = list(inputs["texts"])
        if case.name == "many texts":
            # As the lesson has them.
            texts = np.array([text.encode() for text in texts], dtype=object)
        layer = obj(texts, inputs["max_tokens"], inputs["sequence_length"])
        if not isinstance(layer, keras.layers.TextVectorization):
            raise WrongReturn(
                say("returned {value}; expected a TextVectorization layer", value=describe(layer))
            )
        vocabulary = list(layer.get_vocabulary())
        if set(vocabulary) <= {"", "[UNK]"}:
            raise EmptyVocabulary(
                say("the layer doesn't know any words: it has to be adapted to the texts")
            )
        return {"ids": layer(tf.constant(inputs["new_texts"])), "vocabulary": vocabulary}


def _misleading(texts: list[list[str]], most_frequent: str) -> bool:
    """Whether a wrong vocabulary may be right by chance.

    If someone counts word pairs too, none of them may be among the frequent words, and the last
    text must have another most frequent word than all of them.
    """
    pairs = Counter(pair for words in texts for pair in itertools.pairwise(words))
    last = Counter(texts[-1])
    return max(pairs.values()) > 3 or last[most_frequent] == max(last.values())


def _told(texts: list[list[str]], ranked: list[str]) -> bool:
    """Whether most words have other places in the vocabulary if they are counted wrongly: in texts
    cut to whatever length the ids have, once in each text, or in texts without spaces between."""
    together = "".join(map(" ".join, texts)).split()
    once = [list(dict.fromkeys(words)) for words in texts]
    for wrong in ([together], once, *([words[:n] for words in texts] for n in (4, 5, 6, 7))):
        counts = Counter(itertools.chain.from_iterable(wrong))
        by_keras = sorted(counts, key=lambda word: (counts[word], word), reverse=True)
        by_python = [word for word, _ in counts.most_common()]
        for order in (by_keras, by_python):
            if sum(map(str.__eq__, ranked, order)) > 3:
                return False
    return True


def _many(words: list[str]) -> dict[str, Any]:
    """Inputs with many texts: each part of them has another most frequent word.

    One word is in the first text alone, one in the last text alone, and one becomes frequent when
    a thousand texts are past.
    """
    first, last, late, *often = words
    most, less, least = often
    usual = " ".join([most] * 3 + [less] * 2 + [least])
    texts = [usual] * (_MANY - _MANY_AT_THE_END) + [" ".join([late] * 20)] * _MANY_AT_THE_END
    texts[0], texts[-1] = first, f"{last} {last}"
    return {
        "texts": texts,
        "new_texts": [f"{late} {most} {last}", f"{first} {least} {less}"],
    }


def _marked_up(words: list[str]) -> str:
    """Words as reviews have them: a capital letter, line breaks, punctuation."""
    first, second, *rest = words
    lines = f"{first.title()}<br /><br />{second}", ", ".join(rest)
    return ",\n".join(filter(None, lines)) + "!"


EXERCISE = BuildVectorizer()
