"""What ``attention.average_attention`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from course.exercises.attention.common import exponential_is, set_first
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import normal, random_state

_LARGE = (3000.0, 1.0)
"""Factors of scores of about 900, whose exponentials overflow also in float64."""


def _any_scores(holds: Callable[[np.ndarray], bool]) -> Callable[[Sequence[Case]], bool]:
    """Whether the scores (batch, time) of a case are of some kind."""

    def some_case(cases: Sequence[Case]) -> bool:
        return any(holds(_scores(case)) for case in cases)

    return some_case


def _scores(case: Case) -> np.ndarray:
    hidden = case.inputs["hidden"]
    return hidden @ case.inputs["context"] / np.sqrt(hidden.shape[-1])


def _zeros_fit_best(case: Case) -> bool:
    zeros = ~case.inputs["hidden"].any(axis=-1)
    return bool((zeros.any(axis=1) & (_scores(case).max(axis=1) == 0)).any())


class AverageAttention(Exercise):
    """A weighted mean over time; the weights are a softmax of scaled dot products."""

    name = "attention.average_attention"
    lesson = "03-attention"
    section = 1
    axes = {"output": ("batch", "features")}
    input_axes = {"hidden": ("batch", "time", "d")}
    aspects = (
        Aspect("output has the shape (batch, features)", 20, ("plain",), has_shapes(axes)),
        Aspect("equal hidden states come back unchanged", 20, ("equal",), numbers_agree("output")),
        Aspect("the numbers are right", 40, ("plain",), numbers_agree("output")),
        Aspect(
            "large scores give finite, correct results",
            20,
            ("large logits",),
            numbers_agree("output"),
        ),
    )

    input_classes = {
        "several samples": _any_scores(lambda scores: len(scores) > 1),
        "a batch of one sample": _any_scores(lambda scores: len(scores) == 1),
        "equal hidden states": lambda cases: any(
            np.ptp(case.inputs["hidden"], axis=1).max() == 0 for case in cases
        ),
        "scores of both signs": _any_scores(lambda scores: scores.min() < 0 < scores.max()),
        "scores whose exponentials overflow": _any_scores(exponential_is(np.inf)),
        "scores whose exponentials overflow in float64, too": _any_scores(
            lambda scores: scores.min(axis=1).max() > 710
        ),
        "a sample whose exponentials are all 0": _any_scores(exponential_is(0.0)),
        "scores of one sample far apart": _any_scores(
            lambda scores: np.ptp(scores, axis=1).max() > 710
        ),
        "a hidden state of zeros that fits better than all others": lambda cases: any(
            _zeros_fit_best(case) for case in cases
        ),
    }

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Hidden states (batch, time, features) and a context (features,)."""
        random = random_state(seed)
        # Many features: the root of three, cut to a whole number, scales nothing; with two,
        # "large logits" fixes one, and a softmax for each is right by chance. Many samples and
        # tokens: a shape has three numbers, which would fit an axis of that size.
        batch, (time, features) = 5, ((7, 13), (11, 14))[random.randint(2)]
        hidden, context = normal(random, batch, time, features), normal(random, features)
        # One sample: whatever squeezes axes of size 1 away shows here.
        equal = np.repeat(hidden[:1, :1], time, axis=1)
        # Exponentials that overflow in one sample and vanish in the next, whichever is first.
        signs = np.where(np.arange(batch) % 2, -1, 1) * (1 if random.randint(2) else -1)
        large = set_first(hidden, (_LARGE[1] * signs)[:, None])
        # In the last sample from token to token.
        large[-1, ::2, 0] *= -1
        # Here nothing is padding: zeros have the score 0, which is above all others of a sample.
        large[np.argmin(signs), 1] = 0
        return (
            Case("plain", {"hidden": hidden, "context": context}),
            Case("equal", {"hidden": equal, "context": context}),
            Case("large logits", {"hidden": large, "context": set_first(context, _LARGE[0])}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors."""
        return {"output": obj(tensor(case.inputs["hidden"]), tensor(case.inputs["context"]))}


EXERCISE = AverageAttention()
