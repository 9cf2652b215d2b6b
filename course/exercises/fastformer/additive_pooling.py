"""What ``fastformer.additive_pooling`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.masks import different_lengths, length_mask
from course.exercises.weights import tensor
from selfcheck.aspects import describe, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation, WrongReturn
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say

# --- additive pooling ----------------------------------------------------------------------------

OFFSET = np.float32(200)

"""Added to all scores of a text, or taken from them, it changes no weight. But exp() overflows
float32 unless it is stable, and a score of -100 for padding is the largest of all."""

HIDDEN = np.float32(12288)
"""How much higher a hidden token's score is, whatever else is added to it."""


def output_name(dimensions: int) -> str:
    """What the output is called, by how many axes the tokens have: its own axes differ, too."""
    return {2: "summary", 5: "summaries"}.get(dimensions, "output")


def _any_leading_axes(observation: Observation) -> str:
    name = output_name(observation.case.inputs["x"].ndim)
    return has_shapes({name: AdditivePooling.axes[name]})(observation)


def _numbers_agree(observation: Observation) -> str:
    return numbers_agree(output_name(observation.case.inputs["x"].ndim))(observation)


class AdditivePooling(Exercise):
    """A weighted sum over time; the weights are a softmax of given scores."""

    name = "fastformer.additive_pooling"
    lesson = "06-fastformer"
    section = 2
    axes = {
        "output": ("batch", "heads", "features"),
        "summary": ("features",),
        "summaries": ("batch", "group", "heads", "features"),
    }
    input_axes = {"x": ("time", "features")}
    aspects = (
        Aspect(
            "output has the shape (batch, features): the sum runs over time",
            10,
            ("plain",),
            has_shapes({"output": ("batch", "features")}),
        ),
        Aspect(
            "identical tokens come back unchanged",
            20,
            ("equal tokens",),
            numbers_agree("output"),
        ),
        Aspect("the numbers are right", 20, ("plain",), numbers_agree("output")),
        Aspect(
            "any leading axes: (batch, heads, time) works too",
            10,
            ("heads", "one text"),
            _any_leading_axes,
        ),
        Aspect("each head has its own weights", 10, ("heads",), numbers_agree("output")),
        Aspect(
            "masked tokens get no weight, the others share it",
            15,
            ("padding mask",),
            numbers_agree("output"),
        ),
        Aspect(
            "a mask (batch, 1, time) applies to all heads, a mask (time) to all texts",
            5,
            ("one mask for all heads", "one mask for all texts"),
            _numbers_agree,
        ),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            5,
            ("padded sample",),
            numbers_agree("output"),
        ),
        Aspect(
            "large scores give finite, correct results",
            5,
            ("large scores",),
            numbers_agree("output"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens (..., time, features), scores (..., time) and masks that broadcast to these."""
        random = random_state(seed)
        # Always so many samples: what fits, or happens to be right, for some numbers would earn
        # other points from seed to seed.
        batch, heads = 3, 2
        time, features = (int(size) for size in random.permutation([5, 7]))
        x, scores = normal(random, batch, time, features), _scores(random, batch, time)
        inputs = {"x": x, "scores": scores, "mask": None}
        by_head = {
            "x": normal(random, batch, heads, time, features),
            "scores": _scores(random, batch, heads, time),
            "mask": None,
        }
        lengths = different_lengths(random, batch, time)
        padding = length_mask(lengths, time)
        one_padded = length_mask([0, *lengths[1:]], time)
        # Padding may come first as well. The second text has some in any case.
        padding[1] = padding[1][::-1]
        last = length_mask([time - 1] * batch, time)
        one_text = inputs | {"scores": scores[:1]}  # whose axis is of size 1
        far = scores + OFFSET * np.float32([[1], [-1], [1]])
        # The highest score of one text is padding's, and those of another are far apart.
        far[0, -1] += HIDDEN
        far[2, 0] += OFFSET
        equal = np.repeat(x[:1, :1], time, axis=1)
        # The mask of all texts has padding before and between the tokens.
        spread = np.arange(time) % 2 == 1
        spread[-1] = True
        more_axes = 2, 1, 3
        many = {
            "x": normal(random, *more_axes, time, features),
            "scores": _scores(random, *more_axes, time),
            "mask": spread,
        }
        first = np.zeros((batch, features), bool)
        first[0] = True
        return (
            Case("plain", inputs),
            Case("equal tokens", one_text | {"x": equal}),
            Case("one text", inputs | {"x": equal[0], "scores": scores[0]}),
            Case("heads", by_head),
            Case("padding mask", inputs | {"mask": padding}),
            Case("one mask for all heads", by_head | {"mask": padding[:, None, :]}),
            Case("one mask for all texts", many),
            Case("padded sample", inputs | {"mask": one_padded}, free={"output": first}),
            Case("large scores", inputs | {"scores": far, "mask": last}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors and a boolean mask."""
        tensors = {name: tensor(array) for name, array in case.inputs.items()}
        mask = tensors.pop("mask")
        output = obj(*tensors.values()) if mask is None else obj(*tensors.values(), mask=mask)
        if isinstance(output, tuple):
            value = describe(output)
            raise WrongReturn(say("returned {value}; expected only the pooled tokens", value=value))
        return {output_name(case.inputs["x"].ndim): output}


def _scores(random: np.random.RandomState, *shape: int) -> np.ndarray:
    """Normal numbers (..., time), but for one above 2.5 in each text.

    Who gives the scores where a mask is expected has (1 - score) times the largest number there is:
    that overflows from about 2.1 on, so it would depend on the seed.
    """
    scores = normal(random, *shape)
    peaks = random.randint(shape[-1], size=(*shape[:-1], 1))
    np.put_along_axis(scores, peaks, 2.6 + np.abs(np.take_along_axis(scores, peaks, -1)) / 4, -1)
    return scores


EXERCISE = AdditivePooling()
