"""What ``conv1d.standardize`` asks for, and what is judged."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.invented import written
from selfcheck.aspects import equals
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise

# --- text to ids ---------------------------------------------------------------------------------


class Standardize(Exercise):
    """Lower case, line breaks to spaces, no punctuation: on string tensors."""

    name = "conv1d.standardize"
    lesson = "02-conv1d-baseline"
    section = 2
    axes = {"standardized": (), "shape": ()}
    aspects = (
        Aspect("texts are in lower case", 20, ("capital letters",), equals("standardized")),
        Aspect("each <br /> becomes one space", 20, ("line breaks",), equals("standardized")),
        Aspect(
            "apostrophes and hyphens are removed without splitting words",
            15,
            ("apostrophes and hyphens",),
            equals("standardized"),
        ),
        Aspect(
            "other punctuation is removed as well", 15, ("punctuation",), equals("standardized")
        ),
        Aspect("a backslash is punctuation, too", 5, ("backslash",), equals("standardized")),
        Aspect(
            "white space, digits and accents stay as they are",
            10,
            ("white space", "digits and accents"),
            equals("standardized"),
        ),
        Aspect(
            "a tensor of any shape keeps its shape",
            10,
            ("one text", "matrix"),
            equals("shape", "standardized"),
        ),
        Aspect("it works inside a tf.data pipeline", 5, ("pipeline",), equals("standardized")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Texts: one, a list of them or a list of lists."""
        random = random_state(seed)
        others = [mark for mark in string.punctuation if mark not in "'-\\"]
        marks = np.array_split(random.permutation(others), 6)
        m = ["§w" + "".join(group) for group in marks]
        patterns: dict[str, Any] = {
            "capital letters": ["§C §w", "§w §U §w", "§U"],
            "line breaks": ["§w<br />§w §w", "§w<br />§w"],
            "apostrophes and hyphens": ["§c §w", "§w-§w §w"],
            "punctuation": [f"{m[0]} {m[1]}", f"{m[2]} {m[3]}", *m[4:]],
            "backslash": ["§w\\§w §w", "§w \\ §w"],
            "white space": [" §w  §w\t§w", "§w\n§w ", "§w<br /><br />§w"],
            "digits and accents": ["§e §w §n", "§d §w §e"],
            "one text": "§w, §C<br />§w!",
            "matrix": [["§w!", "§w", "§C?"], ["§w", "(§w)", "§w §w"]],
            "pipeline": ["§w, §C", "§w<br />§w."],
        }
        texts = {name: _written(random, pattern) for name, pattern in patterns.items()}
        return tuple(Case(name, {"texts": text}) for name, text in texts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a string tensor, in a tf.data pipeline in the case of that name."""
        import tensorflow as tf

        texts = tf.constant(case.inputs["texts"])
        if case.name == "pipeline":
            result = next(iter(tf.data.Dataset.from_tensors(texts).map(obj)))
        else:
            result = obj(texts)
        array = np.array(result.numpy() if hasattr(result, "numpy") else result, dtype=object)
        return {"standardized": _decoded(array.ravel()), "shape": str(array.shape)}


def _written(random: np.random.RandomState, patterns: Any) -> Any:
    """A text for each pattern, in lists like theirs."""
    if isinstance(patterns, list):
        return [_written(random, pattern) for pattern in patterns]
    return written(random, patterns)


def _decoded(value: Any) -> Any:
    """Text in the place of UTF-8 bytes; lists in the place of arrays."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, np.ndarray | list):
        return [_decoded(item) for item in value]
    return value


EXERCISE = Standardize()
