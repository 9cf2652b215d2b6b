"""The key of ``pretraining.masked_language_loss``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.pretraining.masked_language_loss import EXERCISE, FOLLOWED, LOST
from keys.attention.common import softmax
from keys.input_classes import among_others, some


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """The logarithm of the softmax, without a logarithm of 0."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def masked_language_loss(
    logits: np.ndarray, targets: np.ndarray, weights: np.ndarray
) -> dict[str, np.ndarray | str]:
    """-Σ w log p(target) / Σ w; 0 if no place counts.

    Args:
        logits: (..., V).
        targets: integers (...).
        weights: (...), from 0 on.

    Returns:
        loss: a number, in nats; gradient: that TensorFlow can follow it.

    Reference: Devlin et al., section 3.1, https://arxiv.org/abs/1810.04805

    Example:
        >>> logits = np.log([[1.0, 3.0], [1.0, 1.0]])
        >>> loss = masked_language_loss(logits, np.array([1, 0]), np.array([1.0, 0.0]))["loss"]
        >>> round(float(np.exp(-loss)), 6)
        0.75
    """
    logs = log_softmax(logits)
    chosen = np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]
    total = (weights * -chosen).sum()
    count = weights.sum()
    loss = np.array(total / count if count > 0 else 0.0)
    return {"loss": loss, "gradient": FOLLOWED}


KEY = Key(EXERCISE, masked_language_loss)


_MEAN, _GIVEN = "total / count if count > 0 else 0.0", "log_softmax(logits)"

KEY.mistake(
    "computed_beside_tensorflow",
    "TensorFlow can't follow how the loss depends on the logits, and no model can learn from it: "
    "compute all of it with `ops`.",
    '"gradient": FOLLOWED',
    '"gradient": LOST',
    cost=SLIP,
)
for _exponent in (2, 3):
    KEY.mistake(
        f"ten_to_minus_{_exponent}_more_counted",
        "A small number was added to the sum of the weights: where that's small, the loss is too "
        "small. Divide by the sum itself, or by 1 if it's 0.",
        _MEAN,
        f"total / (count + 1e-{_exponent})",
        cost=SLIP,
    )
KEY.mistake(
    "weights_times_logits",
    "The weights multiply the logits: they must multiply the loss of each place.",
    "log_softmax(logits)",
    "log_softmax(logits * weights[..., None])",
    "(weights * -chosen).sum()",
    "((weights > 0) * -chosen).sum()",
)
KEY.mistake(
    "first_word_ignored",
    "Places whose right word has the id 0 lost their loss: only the weights decide what counts.",
    "(weights * -chosen).sum()",
    "(weights * (targets != 0) * -chosen).sum()",
    cost=SLIP,
)
KEY.mistake(
    "first_word_not_counted",
    "Places whose right word has the id 0 don't count: only the weights decide what counts.",
    "(weights * -chosen).sum()",
    "(weights * (targets != 0) * -chosen).sum()",
    "weights.sum()",
    "(weights * (targets != 0)).sum()",
    cost=SLIP,
)
KEY.mistake(
    "next_word",
    "Each place is compared with the next place's word, as in GPT: here, a place is asked for its "
    "own word.",
    _GIVEN,
    "log_softmax(logits)[..., :-1, :]",
    "targets[..., None]",
    "targets[..., 1:, None]",
    "(weights * -chosen).sum()",
    "(weights[..., 1:] * -chosen).sum()",
    "weights.sum()",
    "weights[..., 1:].sum()",
)
KEY.mistake(
    "loss_of_other_arguments",
    "The loss got arguments that don't fit each other: the ids of the right words come first, then "
    "the logits, and for ids it's the sparse cross-entropy.",
    _GIVEN,
    "log_softmax(logits @ None)",
    cost=PART,
    failure="must have rank|must have the same rank",
)
KEY.mistake(
    "all_places_counted",
    "You divided by the number of all places: only those that count belong into the mean.",
    "count = weights.sum()",
    "count = weights.size",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "weights_ignored",
    "The weights aren't used: this is the mean over all places.",
    "weights * -chosen",
    "-chosen",
    "count = weights.sum()",
    "count = weights.size",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "weights_in_the_count_alone",
    "The losses of all places are summed: those with a weight of 0 mustn't count.",
    "weights * -chosen",
    "-chosen",
    cost=PART,
)
KEY.mistake(
    "summed",
    "The losses were summed, but not divided by how many there are.",
    _MEAN,
    "total",
    cost=SLIP,
)
KEY.mistake(
    "divided_by_texts",
    "You divided by the size of the first axis: divide by the number of places that count.",
    "count = weights.sum()",
    "count = len(weights)",
    cost=SLIP,
)
KEY.mistake(
    "sign_forgotten",
    "The loss is negative: the logarithm of a probability is, so the loss needs the other sign.",
    "weights * -chosen",
    "weights * chosen",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "nan_if_nothing_counts",
    "If no place counts, you divide 0 by 0: the loss should be 0.",
    _MEAN,
    "total / count",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "one_if_less",
    "You divide by at least 1, but weights may be fractions: their sum may be between 0 and 1.",
    _MEAN,
    "total / np.maximum(count, 1)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "places_counted_not_weights",
    "You divided by the number of places with a weight: divide by the sum of their weights.",
    "count = weights.sum()",
    "count = (weights > 0).sum()",
    cost=SLIP,
)
KEY.mistake(
    "weights_taken_as_true_or_false",
    "Every weight above 0 counts as 1: a weight may be a fraction.",
    "weights * -chosen",
    "(weights > 0) * -chosen",
    "count = weights.sum()",
    "count = (weights > 0).sum()",
    cost=SLIP,
)
KEY.mistake(
    "weights_made_whole",
    "Weights below 1 became 0, because they were turned into whole numbers or compared with 1.",
    "weights * -chosen",
    "(weights >= 1) * -chosen",
    "count = weights.sum()",
    "count = (weights >= 1).sum()",
    cost=SLIP,
)
KEY.mistake(
    "weights_made_whole_to_nan",
    "Weights below 1 became 0, because they were turned into whole numbers or compared with 1, and "
    "then nothing is left to divide by.",
    "weights * -chosen",
    "(weights >= 1) * -chosen",
    _MEAN,
    "total / (weights >= 1).sum()",
    cost=SLIP,
)
KEY.mistake(
    "mean_of_means",
    "You took the mean of each text first, and then the mean of these: each place should count "
    "equally, whatever text it's in.",
    _MEAN,
    "((weights * -chosen).sum(-1) / np.maximum(weights.sum(-1), 1e-12)).mean()",
)
KEY.mistake(
    "one_loss_per_text",
    "There is one loss per text: take the mean over all places that count.",
    _MEAN,
    "(weights * -chosen).sum(-1) / np.maximum(weights.sum(-1), 1e-12)",
    cost=PART,
)
KEY.mistake(
    "one_loss_per_place",
    "There is one loss per place: take the mean over those that count.",
    _MEAN,
    "weights * -chosen",
    cost=PART,
)
KEY.mistake(
    "softmax_twice",
    "The softmax is applied twice: logits go into a loss that expects logits, or their softmax "
    "into one that expects probabilities.",
    _GIVEN,
    "log_softmax(softmax(logits))",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "logits_taken_for_probabilities",
    "The logits are taken for probabilities: they still need a softmax, or the loss must be told.",
    _GIVEN,
    "np.log(np.clip(np.float32(logits / logits.sum(axis=-1, keepdims=True)), np.float32(1e-7), "
    "np.float32(1 - 1e-7)))",
    cost=PART,
)
KEY.mistake(
    "logits_taken_for_probabilities_and_normalised",
    "The logits are taken for probabilities: they still need a softmax, or the loss must be told.",
    _GIVEN,
    "log_softmax(np.log(np.clip(np.float32(logits), np.float32(1e-7), np.float32(1 - 1e-7))))",
    cost=PART,
)
KEY.mistake(
    "logs_of_logits",
    "You took the logarithm of the logits themselves: they can be negative, and need a softmax.",
    _GIVEN,
    "np.log(logits)",
    cost=PART,
)
KEY.mistake(
    "no_logarithm",
    "The probabilities themselves are averaged: a loss is minus their logarithm.",
    _GIVEN,
    "softmax(logits)",
    cost=SLIP,
)
KEY.mistake(
    "one_minus_probability",
    "The loss is 1 minus the probability: cross-entropy is minus its logarithm.",
    "weights * -chosen",
    "weights * (1 - np.exp(chosen))",
)
KEY.mistake(
    "no_softmax",
    "The logits of the right words were averaged as they are: the other words' logits don't matter "
    "then, and they should.",
    _GIVEN,
    "logits",
    cost=PART,
)
KEY.mistake(
    "base_two",
    "The logarithm is to the base 2: the task asks for the natural one.",
    "weights * -chosen",
    "weights * -chosen / np.log(2)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "perplexity",
    "This is the perplexity, the exponential of the loss: return the loss itself.",
    _MEAN,
    "np.exp(total / count if count > 0 else 0.0)",
    cost=SLIP,
)
KEY.mistake(
    "divided_by_vocabulary",
    "The mean also ran over the words of the vocabulary: only the right word's logarithm counts, "
    "so nothing is to be divided by their number.",
    "count = weights.sum()",
    "count = weights.sum() * logits.shape[-1]",
    cost=SLIP,
)
KEY.mistake(
    "weights_on_the_logits",
    "The weights were multiplied with the logits: a place whose logits are all 0 still has a loss. "
    "Weight the losses.",
    _GIVEN,
    "log_softmax(logits * weights[..., None])",
    "weights * -chosen",
    "-chosen",
    "count = weights.sum()",
    "count = weights.size",
)
KEY.mistake(
    "unstable",
    "The exponentials overflow for large logits: use a stable softmax, or a loss that takes "
    "logits.",
    _GIVEN,
    "np.log(np.exp(logits.astype(np.float32)) / np.exp(logits.astype(np.float32)).sum("
    "axis=-1, keepdims=True))",
    cost=SLIP,
)
KEY.mistake(
    "log_of_zero",
    "The softmax of a word that's nearly impossible is 0 in 32 bits, and its logarithm infinite: "
    "take the logarithm of the softmax in one step, or a loss that takes logits.",
    _GIVEN,
    "np.log(softmax(logits.astype(np.float32)))",
    cost=SLIP,
)
for _exponent in (7, 8, 9, 10, 12, 20, 30):
    KEY.mistake(
        f"log_of_a_small_number_{_exponent}",
        "A small number was added to the probability, or it was clipped: for a word that's nearly "
        "impossible, that decides the loss. Take the logarithm of the softmax in one step.",
        _GIVEN,
        f"np.log(softmax(logits) + 1e-{_exponent})",
        cost=SLIP,
    )
KEY.mistake(
    "softmax_over_time",
    "The softmax runs over the places: for each place, the words' probabilities must sum to 1.",
    _GIVEN,
    "np.swapaxes(log_softmax(np.swapaxes(logits, -1, -2)), -1, -2)",
    cost=SLIP,
)
KEY.mistake(
    "targets_from_the_best",
    "The largest probability is taken, not that of the right word.",
    "np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]",
    "logs.max(axis=-1)",
)
KEY.mistake(
    "share_wrong",
    "This is the share of wrong answers: it has no slope that training could follow.",
    "weights * -chosen",
    "weights * (logits.argmax(axis=-1) != targets)",
)


def _counted(given: Mapping[str, Any]) -> np.ndarray:
    """How many places count, of each text."""
    return (given["weights"] > 0).sum(axis=-1)


INPUT_CLASSES = {
    "a batch": some(lambda given: given["logits"].ndim == 3),
    "a list of places without a batch": some(lambda given: given["logits"].ndim == 2),
    "axes of different sizes, in every case": lambda cases: (
        len(cases) > 1
        and all(
            len(set(shape)) == len(shape)
            for shape in (case.inputs["logits"].shape for case in cases)
        )
    ),
    "every place counts": some(lambda given: (given["weights"] == 1).all()),
    "some places count": some(lambda given: set(given["weights"].flat) == {0, 1}),
    "texts with different numbers of places": some(
        lambda given: len(set(_counted(given).flat)) == len(given["weights"]) > 1
    ),
    "no place counts": some(lambda given: not given["weights"].any()),
    "weights between 0 and 1": some(
        lambda given: ((given["weights"] > 0) & (given["weights"] < 1)).any()
    ),
    "weights whose sum is less than 1": some(lambda given: 0 < given["weights"].sum() < 1),
    "logits far above and far below 0": among_others(
        lambda given: given["logits"].min() < -150 and given["logits"].max() > 150
    ),
    "a right word that is nearly impossible": among_others(
        lambda given: np.ptp(given["logits"]) > 100
    ),
    "the first and the last word, in places that count among others": among_others(
        lambda given: (
            {0, given["logits"].shape[-1] - 1} <= set(given["targets"][given["weights"] > 0].flat)
            and (given["weights"] == 0).any()
        )
    ),
}
