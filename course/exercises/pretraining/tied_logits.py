"""What ``pretraining.tied_logits`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.pretraining.common import one_output
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import normal, random_state


def output_name(dimensions: int) -> str:
    """What the output is called, by how many axes the states have: its own axes differ, too."""
    return {1: "word_scores", 2: "scores"}.get(dimensions, "logits")


def _any_leading_axes(observation: Observation) -> str:
    name = output_name(observation.case.inputs["states"].ndim)
    shape = has_shapes({name: TiedLogits.axes[name]})(observation)
    return shape or numbers_agree(name)(observation)


class TiedLogits(Exercise):
    """A score for each word: its own vector times the state, plus its bias."""

    name = "pretraining.tied_logits"
    lesson = "07-pretraining"
    section = 3
    axes = {
        "logits": ("batch", "time", "vocabulary"),
        "scores": ("places", "vocabulary"),
        "word_scores": ("vocabulary",),
    }
    input_axes = {"embeddings": ("vocabulary", "features")}
    aspects = (
        Aspect("logits has the shape (batch, time, vocabulary)", 10, ("plain",),
               has_shapes({"logits": ("batch", "time", "vocabulary")})),
        Aspect("a state of zeros has the biases as its logits", 20, ("zeros",),
               numbers_agree("logits")),
        Aspect("the numbers are right", 35, ("plain",), numbers_agree("logits")),
        Aspect("as many words as features: the table is transposed", 15, ("square",),
               numbers_agree("logits")),
        Aspect("any leading axes: (places, features) works too", 20,
               ("one text", "a list", "one state"), _any_leading_axes),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """States (..., features), embeddings (vocabulary, features), a bias (vocabulary)."""
        random = random_state(seed)
        batch, time, features, vocabulary = 2, 3, *random.permutation([5, 7])
        states = normal(random, batch, time, features)
        inputs = {
            "states": states,
            "embeddings": normal(random, vocabulary, features),
            "bias": normal(random, vocabulary),
        }
        square = {
            "states": normal(random, batch, time, features),
            "embeddings": normal(random, features, features),
            "bias": normal(random, features),
        }
        for given in (inputs, square):
            given["bias"][0] -= 9  # so far that the first word's logit is always negative
        return (
            Case("plain", inputs),
            Case("zeros", inputs | {"states": np.zeros_like(states)}),
            Case("square", square),
            Case("one text", inputs | {"states": states[:1]}),
            Case("a list", inputs | {"states": normal(random, 11, features)}),
            Case("one state", inputs | {"states": states[0, 0]}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors."""
        output = one_output(obj(*map(tensor, case.inputs.values())))
        return {output_name(case.inputs["states"].ndim): output}


EXERCISE = TiedLogits()
