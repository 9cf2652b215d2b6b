"""What ``fastformer.fastformer_block`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.attention.common import padded_queries
from course.exercises.dropout import CHANGING, WHILE_PREDICTING
from course.exercises.fastformer.common import BLOCK_WEIGHTS, block_weights, zeros
from course.exercises.masks import different_lengths, length_mask
from course.exercises.transformer import dropout_shares
from course.exercises.transformer.common import SCALE, at_scale
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, identical, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say


def _changing(observation: Observation) -> bool:
    received = observation.received
    return not isinstance(received, Failure) and identical(received.get("output"), CHANGING)


def _has_shape(observation: Observation) -> str:
    """Outputs that change are only looked for among those of the right shape."""
    shape = has_shapes({"output": FastformerBlock.axes["output"]})
    return "" if _changing(observation) else shape(observation)


def _output_agrees(observation: Observation) -> str:
    if _changing(observation):
        return say(WHILE_PREDICTING)
    return numbers_agree("output")(observation)


_LARGE = np.float32(1e6)
_MADE_UP_FOR = 1.005
"""More than a part gives, less than what any dropout makes of it."""
_GELU_OF_1 = 0.8413447
_TOKENS = 2
"""Of a text in training: a softmax over a single one makes Keras warn."""


class FastformerBlock(Exercise):
    """Fastformer and a feed-forward network, each with dropout, residual connection and norm."""

    name = "fastformer.fastformer_block"
    lesson = "06-fastformer"
    section = 4
    measured = ("shares",)
    translatable_outputs = (CHANGING,)
    builds = True
    axes = {
        "output": ("batch", "time", "hidden_size"),
        "shares": ("questions", "values"),
    }
    input_axes = {"inputs": ("batch", "time", "hidden_size")}
    aspects = (
        Aspect("output has the shape (batch, time, hidden_size)", 10, ("plain",), _has_shape),
        Aspect(
            "the feed-forward half is right when Fastformer adds nothing",
            15,
            ("feed-forward alone",),
            _output_agrees,
        ),
        Aspect(
            "the Fastformer half is right when the feed-forward network adds nothing",
            20,
            ("Fastformer alone",),
            _output_agrees,
        ),
        Aspect("both together are right", 10, ("plain",), _output_agrees),
        Aspect("the mask reaches Fastformer", 15, ("padding mask",), _output_agrees),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            5,
            ("padded sample",),
            _output_agrees,
        ),
        Aspect(
            "in training, outputs of Fastformer and of the network are dropped at the given rate",
            15,
            ("training",),
            dropout_shares.parts_are_dropped,
        ),
        Aspect(
            "nothing else is dropped, and nothing when predicting",
            10,
            ("training",),
            dropout_shares.nothing_else_is_dropped,
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, hidden_size), a block's weights, padding masks (batch, time)."""
        random = random_state(seed)
        # Always so many samples: what fits, or happens to be right, for some numbers would earn
        # other points from seed to seed.
        batch, heads = 3, 2
        time, depth = (int(n) for n in random.permutation([4, 5]))
        ff_dim, size = int(random.choice([7, 9, 11])), heads * depth
        x = SCALE * normal(random, batch, time, size)
        x[:, 1] = 0  # a token like any other
        inputs = {"inputs": x, "num_heads": heads, "mask": None}
        inputs |= block_weights(random, size, heads, ff_dim)
        # What goes into the second norm is then what the first one gives.
        silent_network = zeros(inputs, "contract_kernel", "contract_bias")
        silent_network |= at_scale(inputs, "gamma_1", "beta_1")
        lengths = different_lengths(random, batch, time)
        padding, padded = length_mask(lengths, time), length_mask([0, *lengths[1:]], time)
        # Padding may come first as well. The second sample has some in any case.
        padding[1] = padding[1][::-1]
        predicted = ("output",)
        return (
            Case("plain", inputs, asks=predicted),
            Case(
                "feed-forward alone",
                inputs | zeros(inputs, "query_kernel", "output_kernel"),
                asks=predicted,
            ),
            Case("Fastformer alone", inputs | silent_network, asks=predicted),
            Case(
                "padding mask",
                inputs | {"mask": padding},
                padded_queries(padding, size),
                predicted,
            ),
            Case(
                "padded sample", inputs | {"mask": padded}, padded_queries(padded, size), predicted
            ),
            _training_case(random),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the block, give it the case's weights, call it as when predicting or training."""
        inputs, mask = case.inputs["inputs"], tensor(case.inputs["mask"])
        (batch, time, size), heads = inputs.shape, case.inputs["num_heads"]
        # With half of everything dropped, an answer that drops while predicting shows; with nothing
        # dropped, it shows whether its numbers are right.
        rate = case.inputs.get("rate", 0.5 if mask is None else 0.0)
        block = obj(heads, size // heads, len(case.inputs["expand_bias"]), rate)
        given = {} if mask is None else {"mask": mask}
        block(tensor(np.zeros((batch, time, size), np.float32)), **given)  # makes the weights
        # A block whose parts have other names is filled in order of creation.
        named = hasattr(getattr(block, "fastformer", None), "query_linear")
        values = {
            path if named else f"block: {path}": case.inputs[name]
            for path, name in BLOCK_WEIGHTS.items()
        }
        weights.assign(block, values)
        if "rate" in case.inputs:
            return {"shares": _shares_in_training(block, case.inputs)}
        # Once as in the notebook, which doesn't say that nobody is training.
        given |= {} if case.name == "plain" else {"training": False}
        output, again = (block(tensor(inputs), **given) for _ in range(2))
        # Numbers that change from call to call can't be compared, even if they're right by chance.
        return {"output": CHANGING if _changes(output, again, inputs.shape) else output}


def _changes(output: Any, again: Any, shape: tuple[int, ...]) -> bool:
    """Whether two calls give different numbers of the right shape."""
    if tuple(getattr(output, "shape", ())) != shape:
        return False
    return not np.allclose(np.array(output), np.array(again), rtol=1e-3, atol=1e-3, equal_nan=True)


def _shares_in_training(block: Any, inputs: Mapping[str, Any]) -> np.ndarray:
    """Ask a block that has its weights for every text often, as when training, and for the first
    one as when predicting: how often each value of the first token's first feature occurs."""
    followed = []
    mask = tensor(np.ones((dropout_shares.CALLS, _TOKENS), bool))
    for number in range(dropout_shares.PREDICTING + 1):
        text = inputs["inputs"][number % dropout_shares.PREDICTING, None]
        texts = tensor(np.repeat(text, dropout_shares.CALLS, axis=0))
        outputs = np.array(block(texts, mask=mask, training=number < dropout_shares.PREDICTING))
        followed.append(outputs.reshape(dropout_shares.CALLS, -1)[:, 0])
    return dropout_shares.shares(np.array(followed))


def _training_case(random: np.random.RandomState) -> Case:
    """Three texts (3, 2, hidden_size) of a token that comes twice, and weights.

    With zeros in ``output_linear``, Fastformer gives the queries. The last norm leaves little more
    of a token's first feature than the sign, which tells what was dropped: the module ``training``
    says how.
    """
    unit, last = int(random.randint(50, 101)), int(random.randint(1, 3))
    part = 200 * unit
    drawn = block_weights(random, dropout_shares.SIZE, dropout_shares.HEADS, dropout_shares.FF_DIM)
    tokens = np.zeros((3, _TOKENS, dropout_shares.SIZE), np.float32)
    tokens[dropout_shares.ATTENTION, :, 0] = -_MADE_UP_FOR * part
    # So large that what Fastformer gives doesn't change what the norm makes of it.
    tokens[dropout_shares.NETWORK, :, 1] = -_LARGE * part
    tokens[dropout_shares.NEITHER, :, 0] = _LARGE * part
    # So small that it doesn't change what the norm makes of the others: the query makes it large.
    tokens[:, :, -1] = part / _LARGE
    changed = zeros(drawn, *drawn)
    changed["query_kernel"][-1, 0] = _LARGE
    # The norm makes the root of 3 of a single feature, and minus a third of that of the others.
    gamma = 4 * part
    changed["gamma_1"][0] = gamma
    changed["beta_1"][0] = -_MADE_UP_FOR * part - gamma / np.sqrt(3)
    # A hidden unit takes away, so that dropping it isn't the same as dropping the sum.
    changed["expand_bias"][0] = 1
    changed["contract_kernel"][0, 0] = -part
    changed["contract_bias"][0] = (1 + _GELU_OF_1) * part
    # What the last norm gives is positive: a 0 in its place is the smallest value.
    changed["gamma_2"][0], changed["beta_2"][0] = last, 3 * last
    given = {
        "inputs": tokens,
        "num_heads": dropout_shares.HEADS,
        "mask": np.ones((3, _TOKENS), bool),
    }
    return Case("training", given | {"rate": dropout_shares.RATE} | changed, asks=("shares",))


EXERCISE = FastformerBlock()
