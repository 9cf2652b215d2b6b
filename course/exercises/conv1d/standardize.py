"""What ``conv1d.standardize`` asks for, and what is judged."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.invented import written
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state

# --- text to ids ---------------------------------------------------------------------------------

# The default settings of tf.strings.lower change the letters from A to Z alone.
_CAPITALS = ("École", "Étude", "Übung", "Ärger", "Çelik", "Ñandú")


class Standardize(Exercise):
    """Lower case, line breaks to spaces, no punctuation: on string tensors."""

    name = "conv1d.standardize"
    lesson = "02-conv1d-baseline"
    section = 2
    axes = {"standardized": (), "shape": ()}
    aspects = (
        Aspect("texts are in lower case", 15, ("capital letters",), equals("standardized")),
        Aspect(
            "a line break in capitals is one, too",
            5,
            ("line breaks in capitals",),
            equals("standardized"),
        ),
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
            "a tensor of any shape keeps its shape, and its texts are right",
            10,
            ("one text", "three axes"),
            equals("shape", "standardized"),
        ),
        Aspect("it works inside a tf.data pipeline", 5, ("pipeline",), equals("standardized")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Texts: one, a list of them or lists of them."""
        random = random_state(seed)
        others = [mark for mark in string.punctuation if mark not in "'-\\"]
        order = list(random.permutation(others))
        # In the order "<", ">" the two would be a tag on some seeds, and an empty one on fewer.
        first, second = sorted((order.index("<"), order.index(">")))
        order[first], order[second] = ">", "<"
        groups = ["".join(group) for group in np.array_split(order, 6)]
        places = ["§w{}", "{}§w", "§w{}§w"] * 2
        m = [place.format(group) for place, group in zip(places, groups, strict=True)]
        accented = _CAPITALS[int(random.randint(len(_CAPITALS)))]
        patterns: dict[str, Any] = {
            "capital letters": ["§C §w", "§w §U §w", "§U"],
            "line breaks in capitals": ["§w<BR />§w", "§w §w<BR />§w"],
            "line breaks": [
                "§w<br />§w §w<br />§w",
                "§w<br /><br />§w",
                "§wbr §w<br />br§w",
            ],
            "apostrophes and hyphens": ["§c §w's", "§w-§w §w", "'§w' - §w-"],
            "punctuation": [
                f"{m[0]} {m[1]}",
                f"{m[2]} {m[3]}",
                *m[4:],
                "§w <i>§w</i> &amp; §w",
                "§w<br>§w<br/>",
            ],
            "backslash": ["§w\\§w §w", "§w \\ §w"],
            "white space": [" §w  §w\t§w", "§w\n§w ", "<br />§w <br /> §w<br />"],
            "digits and accents": ["§e §w §n", "§d §w §e", f"§w {accented}", "“§w’s” – §w…"],
            "one text": "§w, §C<br />§w!",
            "three axes": [[["§w!", "", "§C?"]], [["§w", "(§w)", "..."]]],
            "pipeline": ["§w, §C", "§w<br />§w."],
        }
        texts = {name: _written(random, pattern) for name, pattern in patterns.items()}
        return tuple(Case(name, {"texts": text}) for name, text in texts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a string tensor, in a tf.data pipeline in the case of that name."""
        import tensorflow as tf

        texts = tf.constant(case.inputs["texts"])
        if case.name == "pipeline":
            # As a folder of files gives them: of a batch, the pipeline doesn't know the size.
            batches = tf.data.Dataset.from_tensor_slices(texts).batch(len(case.inputs["texts"]))
            result = next(iter(batches.map(obj)))
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
