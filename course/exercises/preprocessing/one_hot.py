"""What ``preprocessing.one_hot`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.preprocessing.common import WORDS, dense, deranged, draw
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise

# --- tokens to numbers ---------------------------------------------------------------------------


class OneHot(Exercise):
    """A row for each word, a column for each entry of the vocabulary."""

    name = "preprocessing.one_hot"
    lesson = "01-text-preprocessing"
    section = 6
    axes = {"vectors": ("words", "vocabulary")}
    aspects = (
        Aspect("vectors has the shape (words, vocabulary)", 20, ("plain",), has_shapes(axes)),
        Aspect("each word has its 1 in its own column", 40, ("plain",), numbers_agree("vectors")),
        Aspect("a repeated word repeats its row", 20, ("repeated",), numbers_agree("vectors")),
        Aspect(
            "a word outside the vocabulary is a row of zeros",
            20,
            ("unknown words",),
            numbers_agree("vectors"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Words, and a vocabulary that is not sorted."""
        random = random_state(seed)
        size = int(random.choice([6, 7, 8]))
        drawn = draw(random, WORDS, size + 2)
        vocabulary = deranged(random, drawn[2:], sorted(drawn[2:]))
        words = deranged(random, vocabulary[:4], vocabulary)
        inputs = {
            "plain": words,
            "repeated": [words[0], words[1], words[0], words[2], words[1]],
            "unknown words": [words[0], drawn[0], words[1], drawn[1], words[2]],
        }
        return tuple(
            Case(name, {"words": words, "vocabulary": vocabulary}) for name, words in inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on lists of words."""
        return {"vectors": dense(obj(list(case.inputs["words"]), list(case.inputs["vocabulary"])))}


EXERCISE = OneHot()
