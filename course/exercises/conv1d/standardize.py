"""What ``conv1d.standardize`` asks for, and what is judged."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from course.exercises.invented import written
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state

# --- text to ids ---------------------------------------------------------------------------------

# The default settings of tf.strings.lower change the letters from A to Z alone.
_CAPITALS = ("École", "Étude", "Übung", "Ärger", "Çelik", "Ñandú")

_MARK = f"[{re.escape(string.punctuation)}]"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        return
    for item in value:
        yield from _texts(item)


def _some(pattern: str) -> Callable[[Sequence[Case]], bool]:
    """Whether a pattern is found in some text of the cases."""
    return lambda cases: any(
        re.search(pattern, text) for case in cases for text in _texts(case.inputs["texts"])
    )


def _axes(count: int) -> Callable[[Sequence[Case]], bool]:
    """Whether some case has texts with this many axes."""
    return lambda cases: any(np.ndim(case.inputs["texts"]) == count for case in cases)


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

    input_classes = {
        **{f"the mark {mark}": _some(re.escape(mark)) for mark in string.punctuation},
        "a mark before a word": _some(rf"(^|\s){_MARK}+\w"),
        "a mark inside a word": _some(rf"\w{_MARK}\w"),
        "an s behind an apostrophe, at the end of a word": _some(r"\w's$"),
        "a mark on its own": _some(rf"\s{_MARK}\s"),
        "several marks in a text": _some(rf"{_MARK}\w+{_MARK}"),
        "nothing but marks": _some(rf"^{_MARK}+$"),
        "an empty text": _some("^$"),
        "a capital letter": _some("[A-Z][a-z]"),
        "a word in capital letters": _some(r"\b[A-Z]{2,}\b"),
        "a line break in capital letters": _some("<BR />"),
        "two line breaks apart": _some(r"<br />[\w ]+<br />"),
        "two line breaks in a row": _some("<br /><br />"),
        "a line break at the beginning": _some("^<br />"),
        "a line break at the end": _some("<br />$"),
        "a line break between spaces": _some(" <br /> "),
        "a word that ends like a line break": _some(r"\wbr "),
        "a word that begins like a line break": _some(r"\bbr\w"),
        "another tag than a line break": _some("<i>.*</i>"),
        "an entity": _some("&amp;"),
        "another spelling of a line break": _some("<br>.*<br/>"),
        "spaces at the beginning": _some("^ "),
        "spaces at the end": _some(" $"),
        "two spaces in a row": _some("[a-z]  [a-z]"),
        "a tab": _some("\t"),
        "a new line": _some("\n"),
        "a digit": _some("[0-9]"),
        "a small letter with an accent": _some("[à-ÿ]"),
        "a capital letter with an accent": _some("[À-Ý]"),
        **{f"the typographic mark {mark}": _some(mark) for mark in "“”’–…"},
        "no axes": lambda cases: any(isinstance(case.inputs["texts"], str) for case in cases),
        "one axis": _axes(1),
        "three axes": _axes(3),
        "a tf.data pipeline": lambda cases: any(case.name == "pipeline" for case in cases),
    }

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
