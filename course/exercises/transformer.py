"""Exercises of ``04-transformer-encoder``: positions, encoder, warm-up, classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import classifiers, weights
from course.exercises.aspects import equals, has_shapes, numbers_agree
from course.exercises.attention import LARGE
from course.exercises.base import (
    Aspect,
    Case,
    Exercise,
    different_lengths,
    length_mask,
    normal,
    random_state,
    tensor,
)


class PositionalEncoding(Exercise):
    """Sines and cosines of the position, interleaved."""

    name = "transformer.positional_encoding"
    lesson = "04-transformer-encoder"
    section = 2
    axes = {"encoding": ("length", "depth")}
    aspects = (
        Aspect("encoding has the shape (length, depth)", 10, ("plain",), has_shapes(axes)),
        Aspect("position 0 is 0, 1, 0, 1, ...", 20, ("one position",), numbers_agree("encoding")),
        Aspect(
            "two features are sine and cosine of the position",
            20,
            ("two features",),
            numbers_agree("encoding"),
        ),
        Aspect("all frequencies are right", 50, ("plain", "deep"), numbers_agree("encoding")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """A length and an even depth."""
        random = random_state(seed)
        length, longer = (int(n) for n in random.permutation([5, 7, 9, 11, 13])[:2])
        depth, deeper = (int(n) for n in random.permutation([6, 8, 10, 12])[:2])
        return (
            Case("plain", {"length": length, "depth": depth}),
            Case("one position", {"length": 1, "depth": depth}),
            Case("two features", {"length": longer, "depth": 2}),
            Case("deep", {"length": longer, "depth": deeper}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on two ints."""
        return {"encoding": obj(case.inputs["length"], case.inputs["depth"])}


class TokenAndPositionEmbedding(Exercise):
    """A layer: the vector of each token plus the vector of its position."""

    name = "transformer.token_and_position_embedding"
    lesson = "04-transformer-encoder"
    section = 3
    builds = True
    axes = {"output": ("batch", "time", "embedding_dim")}
    input_axes = {"ids": ("batch", "time")}
    aspects = (
        Aspect("output has the shape (batch, time, embedding_dim)", 20, ("plain",),
               has_shapes(axes)),
        Aspect("token and position are added", 50, ("plain",), numbers_agree("output")),
        Aspect("texts shorter than max_length work", 30, ("short",), numbers_agree("output")),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, time) and both tables."""
        random = random_state(seed)
        batch, short, length = 2, *sorted(int(n) for n in random.permutation([4, 5, 6, 7])[:2])
        vocabulary_size, size = (int(n) for n in random.permutation([9, 11, 13])[:2])
        tables = {
            "token_table": normal(random, vocabulary_size, size),
            "position_table": normal(random, length, size),
        }
        # In the first case no id is too large to be taken for a position.
        few, every = min(length, vocabulary_size), vocabulary_size
        return tuple(
            Case(name, tables | {"ids": random.randint(0, most, (batch, time))})
            for name, most, time in (("plain", few, length), ("short", every, short))
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer at full length, give it the case's tables, call it on the ids."""
        tokens, positions = case.inputs["token_table"], case.inputs["position_table"]
        layer = obj(len(positions), *tokens.shape)
        layer(tensor(np.zeros((1, len(positions)), int)))
        weights.assign(
            layer,
            {
                "token_embedding.embeddings": tokens,
                "position_embedding.embeddings": positions,
            },
        )
        return {"output": layer(tensor(case.inputs["ids"]))}


_ENCODER_WEIGHTS = {
    "attention.query_dense.kernel": "query_kernel",
    "attention.query_dense.bias": "query_bias",
    "attention.key_dense.kernel": "key_kernel",
    "attention.key_dense.bias": "key_bias",
    "attention.value_dense.kernel": "value_kernel",
    "attention.value_dense.bias": "value_bias",
    "attention.output_dense.kernel": "output_kernel",
    "attention.output_dense.bias": "output_bias",
    "norm_1.gamma": "gamma_1",
    "norm_1.beta": "beta_1",
    "expand.kernel": "expand_kernel",
    "expand.bias": "expand_bias",
    "contract.kernel": "contract_kernel",
    "contract.bias": "contract_bias",
    "norm_2.gamma": "gamma_2",
    "norm_2.beta": "beta_2",
}
"""Where an encoder layer keeps what the cases call by these names, in order of creation."""


SCALE = np.float32(100)
"""Of what goes into each norm: its epsilon, 1e-6 or Keras' 1e-3, then drowns in the variance."""


def _encoder_weights(random: np.random.RandomState, size: int, ff_dim: int) -> dict[str, Any]:
    """Weights for inputs of this scale: sums before the norms are of it, but logits, and what the
    network's activation takes, stay near 1, where a smooth activation differs from relu."""
    root, wide = np.float32(np.sqrt(size)), np.float32(np.sqrt(ff_dim))
    drawn = {
        f"{role}_kernel": normal(random, size, size) / root
        for role in ("query", "key", "value", "output")
    }
    for role in ("query", "key"):
        drawn[f"{role}_kernel"] /= SCALE
        drawn[f"{role}_bias"] = normal(random, size) / np.float32(4)
    for role in ("value", "output"):
        drawn[f"{role}_bias"] = SCALE * normal(random, size) / np.float32(4)
    for place in "12":
        drawn[f"gamma_{place}"] = 1 + normal(random, size) / np.float32(4)
        drawn[f"beta_{place}"] = normal(random, size) / np.float32(4)
    return drawn | {
        "expand_kernel": normal(random, size, ff_dim) / root,
        "expand_bias": normal(random, ff_dim) / np.float32(4),
        "contract_kernel": SCALE * normal(random, ff_dim, size) / wide,
        "contract_bias": SCALE * normal(random, size) / np.float32(4),
    }


def _at_scale(drawn: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: SCALE * drawn[name] for name in names}


class EncoderLayer(Exercise):
    """A layer: attention and a feed-forward network, each with residual, dropout and norm."""

    name = "transformer.encoder_layer"
    lesson = "04-transformer-encoder"
    section = 4
    builds = True
    axes = {"output": ("batch", "time", "embedding_dim")}
    input_axes = {"inputs": ("batch", "time", "embedding_dim")}
    aspects = (
        Aspect("output has the shape (batch, time, embedding_dim)", 10, ("plain",),
               has_shapes(axes)),
        Aspect(
            "the feed-forward half is right where attention adds nothing",
            20,
            ("feed-forward alone",),
            numbers_agree("output"),
        ),
        Aspect(
            "the attention half is right where the feed-forward network adds nothing",
            20,
            ("attention alone",),
            numbers_agree("output"),
        ),
        Aspect("both together are right", 10, ("plain",), numbers_agree("output")),
        Aspect("padded tokens are not attended to", 20, ("padding mask",), numbers_agree("output")),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            10,
            ("padded sample",),
            numbers_agree("output"),
        ),
        Aspect(
            "large logits stay finite and right", 10, ("large logits",), numbers_agree("output")
        ),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, embedding_dim), weights, padding masks (batch, time)."""
        random = random_state(seed)
        batch, heads = (int(n) for n in random.permutation([2, 3, 4])[:2])
        time, depth = (int(n) for n in random.permutation([5, 7]))
        ff_dim = int(random.choice([9, 11, 13]))
        size = heads * depth
        drawn = _encoder_weights(random, size, ff_dim)
        x = SCALE * normal(random, batch, time, size)
        inputs = {"inputs": x, "num_heads": heads, "mask": None} | drawn
        silent_attention = {name: np.zeros_like(drawn[name]) for name in
                            ("output_kernel", "output_bias")}  # fmt: skip
        silent_network = {name: np.zeros_like(drawn[name]) for name in
                          ("contract_kernel", "contract_bias")}  # fmt: skip
        # What goes into the second norm is then what the first one gives.
        silent_network |= _at_scale(drawn, "gamma_1", "beta_1")
        lengths = different_lengths(random, batch, time)
        padding, padded = length_mask(lengths, time), length_mask([0, *lengths[1:]], time)
        return (
            Case("plain", inputs),
            Case("feed-forward alone", inputs | silent_attention),
            Case("attention alone", inputs | silent_network),
            Case("padding mask", inputs | {"mask": padding}, _padded_places(padding, size)),
            Case("padded sample", inputs | {"mask": padded}, _padded_places(padded, size)),
            Case("large logits", inputs | _large_projections(inputs, depth)),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, give it the case's weights, call it as when predicting."""
        inputs = tensor(case.inputs["inputs"])
        heads, ff_dim = case.inputs["num_heads"], len(case.inputs["expand_bias"])
        # With half of everything dropped, an answer that drops while predicting shows.
        layer = obj(inputs.shape[-1], ff_dim, heads, 0.5)
        layer(inputs)
        # A layer that attends by itself is filled in order of creation, whatever else it names.
        by_name = hasattr(getattr(layer, "attention", None), "query_dense")
        weights.assign(layer, _named(case.inputs, "" if by_name else "encoder: "))
        mask = tensor(case.inputs["mask"])
        if mask is None:
            return {"output": layer(inputs, training=False)}
        return {"output": layer(inputs, mask=mask, training=False)}


def _large_projections(inputs: Mapping[str, Any], depth: int) -> dict[str, np.ndarray]:
    """What gives the first feature of every head's queries, and of its keys, one large value."""
    x = inputs["inputs"].copy()
    x[..., 0] = SCALE
    changed = {"inputs": x}
    for role, feature in zip(("query", "key"), LARGE, strict=True):
        kernel, bias = inputs[f"{role}_kernel"].copy(), inputs[f"{role}_bias"].copy()
        kernel[:, ::depth] = bias[::depth] = 0
        kernel[0, ::depth] = feature / SCALE
        changed |= {f"{role}_kernel": kernel, f"{role}_bias": bias}
    return changed


def _named(inputs: Mapping[str, Any], prefix: str = "") -> dict[str, np.ndarray]:
    return {f"{prefix}{path}": inputs[name] for path, name in _ENCODER_WEIGHTS.items()}


def _padded_places(mask: np.ndarray, size: int) -> dict[str, np.ndarray]:
    """Where right answers differ: what becomes of a padded token, nobody reads."""
    return {"output": np.repeat(~mask[:, :, None], size, axis=2)}


class WarmupSchedule(Exercise):
    """A learning rate that climbs in a line and falls with the root of the step."""

    name = "transformer.warmup_schedule"
    lesson = "04-transformer-encoder"
    section = 6
    axes = {"rates": ("steps",)}
    aspects = (
        Aspect("there is one rate a step", 10, ("climbing",), has_shapes(axes)),
        Aspect("the rate climbs in a line", 25, ("climbing",), numbers_agree("rates")),
        Aspect("then it falls with the root of the step", 25, ("falling",), numbers_agree("rates")),
        Aspect("step 0 gives 0", 10, ("step 0",), numbers_agree("rates")),
        Aspect("it works inside a compiled training step", 30, ("compiled",),
               numbers_agree("rates")),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Steps (steps,), which are given one at a time as int64 scalars."""
        random = random_state(seed)
        d_model, warmup = 2 * int(random.randint(20, 60)), int(random.randint(30, 90))
        settings = {"d_model": d_model, "warmup_steps": warmup}
        climbing = np.sort(random.permutation(np.arange(1, warmup - 4))[:4])
        falling = warmup + np.sort(random.permutation(np.arange(20, 900))[:4])
        either = np.array([climbing[1], warmup, falling[1]])
        return (
            Case("climbing", settings | {"steps": climbing}),
            Case("falling", settings | {"steps": falling}),
            Case("step 0", settings | {"steps": np.array([0])}),
            Case("compiled", settings | {"steps": either}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the schedule as an optimizer does, eagerly or inside a ``tf.function``."""
        import tensorflow as tf

        schedule = obj(case.inputs["d_model"], case.inputs["warmup_steps"])
        rate = tf.function(schedule) if case.name == "compiled" else schedule
        steps = [tf.constant(int(step), tf.int64) for step in case.inputs["steps"]]
        return {"rates": np.array([float(rate(step)) for step in steps])}


class BuildTransformerClassifier(Exercise):
    """Embedding, encoder layer, mean over the tokens, dropout, class probabilities."""

    name = "transformer.build_transformer_classifier"
    lesson = "04-transformer-encoder"
    section = 5
    builds = True
    axes = classifiers.AXES
    aspects = (
        Aspect("there is a row of num_classes numbers a text", 20, ("plain",),
               has_shapes({"untrained": axes["untrained"]})),
        Aspect("each row is a distribution", 20, ("plain",), equals("rows", ours=classifiers.ROWS)),
        Aspect(
            "the model has the weights of these layers and no others",
            20,
            ("plain",),
            numbers_agree("parameters"),
        ),
        Aspect("the probabilities are right", 20, ("plain",), numbers_agree("probabilities")),
        Aspect(
            "padding changes nothing: neither attention nor the mean looks at it",
            20,
            ("padding",),
            numbers_agree("probabilities"),
        ),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, max_length) without and with padding, and all weights."""
        random = random_state(seed)
        batch, heads = 3, 2
        max_length, depth = (int(n) for n in random.permutation([5, 7]))
        vocabulary_size, ff_dim = (int(n) for n in random.permutation([13, 17, 19])[:2])
        size, classes = heads * depth, 4
        tables = {
            "token_table": SCALE * normal(random, vocabulary_size, size),
            "position_table": SCALE * normal(random, max_length, size),
        }
        drawn = _encoder_weights(random, size, ff_dim)
        inputs = {
            "num_heads": heads,
            **tables,
            **drawn,
            # Of the scale all through the layer, so that mistakes in it can be told apart even
            # where a norm is missing and probabilities are close to 0 and 1.
            **_at_scale(drawn, "gamma_1", "beta_1", "expand_bias"),
            "contract_kernel": drawn["contract_kernel"] / SCALE,
            "class_kernel": normal(random, size, classes) / np.float32(np.sqrt(size)),
            "class_bias": normal(random, classes) / np.float32(4),
        }
        ids = random.randint(1, vocabulary_size, (batch, max_length))
        padded = np.where(length_mask(different_lengths(random, batch, max_length), max_length),
                          ids, 0)  # fmt: skip
        free = {"untrained": np.ones((batch, classes), bool)}
        return (
            Case("plain", inputs | {"ids": ids}, free),
            Case("padding", inputs | {"ids": padded}, free),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the model; call it untrained, and then with the case's weights."""
        inputs = case.inputs
        (vocabulary_size, size), max_length = (
            inputs["token_table"].shape,
            len(inputs["position_table"]),
        )
        ff_dim, classes = len(inputs["expand_bias"]), len(inputs["class_bias"])
        heads = inputs["num_heads"]
        model = obj(max_length, vocabulary_size, classes, size, ff_dim, heads, 0.5)
        tables = {"token table": inputs["token_table"], "position table": inputs["position_table"]}
        last = {"class kernel": inputs["class_kernel"], "class bias": inputs["class_bias"]}
        values = tables | _named(inputs, "encoder: ") | last
        return classifiers.outputs_of(model, inputs["ids"], values)


EXERCISES = (
    PositionalEncoding(),
    TokenAndPositionEmbedding(),
    EncoderLayer(),
    WarmupSchedule(),
    BuildTransformerClassifier(),
)
