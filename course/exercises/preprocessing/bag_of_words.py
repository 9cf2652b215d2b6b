"""What ``preprocessing.bag_of_words`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.preprocessing.common import Documents, dense, remembers_nothing
from selfcheck.aspects import as_array, comparable, describe, equals, has_shapes
from selfcheck.exercise import Aspect, Observation, WrongReturn
from selfcheck.texts import say


def _each_word_counted(observation: Observation) -> str:
    """The counts are right for each word, in whatever order the returned vocabulary has them."""
    seen = comparable({"counts": BagOfWords.axes["counts"]})(observation)
    if seen:
        return seen
    expected = observation.expected.outputs
    words, named = expected["vocabulary"], observation.received.get("vocabulary")
    if not isinstance(named, list | tuple) or sorted(map(str, named)) != words:
        named = words
    counts = as_array(observation.received["counts"])[:, [list(named).index(w) for w in words]]
    wrong = np.argwhere(counts != expected["counts"])
    if not wrong.size:
        return ""
    row, column = wrong[0]
    return say(
        "`counts` has {count} for {word} in document {row}; expected {expected}",
        count=f"{counts[row, column]:g}",
        word=repr(words[column]),
        row=row,
        expected=f"{expected['counts'][row, column]:g}",
    )


class BagOfWords(Documents):
    """How often each word of the vocabulary is in each document."""

    name = "preprocessing.bag_of_words"
    section = 7
    often = 450
    alone = 260
    axes = {"counts": ("documents", "vocabulary"), "vocabulary": (), "remembered": ()}
    aspects = (
        Aspect(
            "the vocabulary contains each word once, sorted",
            20,
            ("plain", "unusual tokens", "one document"),
            remembers_nothing(equals("vocabulary")),
        ),
        Aspect(
            "counts has the shape (documents, vocabulary)",
            10,
            ("plain", "one document"),
            has_shapes({"counts": axes["counts"]}),
        ),
        Aspect(
            "each column counts its own word",
            20,
            ("plain", "words inside others", "equal documents", "one document"),
            _each_word_counted,
        ),
        Aspect("repeated words are counted", 20, ("repeated",), _each_word_counted),
        Aspect(
            "short, hyphenated and capitalised tokens are counted unchanged",
            15,
            ("unusual tokens",),
            _each_word_counted,
        ),
        Aspect("an empty document is a row of zeros", 15, ("empty document",), _each_word_counted),
    )

    def _outputs(self, result: Any) -> Mapping[str, Any]:
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise WrongReturn(
                say(
                    "returned {value}; expected the pair (counts, vocabulary), in that order",
                    value=describe(result),
                )
            )
        counts, vocabulary = result
        # scikit-learn gives the names of its columns as an array of objects.
        if isinstance(vocabulary, np.ndarray) and vocabulary.dtype.kind == "O":
            vocabulary = vocabulary.tolist()
        return {"counts": dense(counts), "vocabulary": vocabulary}


EXERCISE = BagOfWords()
