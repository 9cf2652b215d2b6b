"""More mistakes in the Fastformer block: by name what each costs, its hint, and the edits of the
solution. Not looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import IDEA, PART, SLIP

_GIVEN, _NETWORK = "global_context(inputs, num_heads, mask, w)", "network(x, w)"

NORMS = {
    "no_norms": (
        PART,
        "Both layer normalisations are missing: each half should end with one.",
        "norm_1(inputs +",
        "(inputs +",
        "norm_2(x +",
        "(x +",
    ),
    "one_norm_for_both": (
        SLIP,
        "The same norm is used in both places: each place needs its own.",
        "norm_2(x +",
        "norm_1(x +",
    ),
    "norms_swapped": (
        SLIP,
        "The two norms are swapped.",
        "norm_1(inputs +",
        "norm_2(inputs +",
        "norm_2(x +",
        "norm_1(x +",
    ),
    "norm_before_the_first_sum": (
        SLIP,
        "The first norm is applied to what Fastformer gives, and the inputs are added afterwards: "
        "it's the sum that must be normalised.",
        "norm_1(inputs +",
        "inputs + norm_1(",
    ),
    "norm_and_dropout_before_the_first_sum": (
        SLIP,
        "The first norm is applied to what Fastformer gives, then comes the dropout, and the "
        "inputs are added afterwards: it's the sum that must be normalised.",
        "norm_1(inputs + kept[0] * ",
        "inputs + kept[0] * norm_1(",
    ),
    "norm_over_the_text": (
        SLIP,
        "You normalised over the whole text: layer normalisation treats each token on its own, "
        "over its features.",
        "x.mean(axis=-1",
        "x.mean(axis=(1, 2)",
        "(centred**2).mean(axis=-1",
        "(centred**2).mean(axis=(1, 2)",
    ),
    "batch_normalisation": (
        IDEA,
        "Batch normalisation was used instead of layer normalisation: its means and variances come "
        "from other texts, not from the token itself.",
        "norm_1 = partial(layer_norm,",
        "norm_1 = partial(batch_norm, chances=chances,",
        "norm_2 = partial(layer_norm,",
        "norm_2 = partial(batch_norm, chances=chances,",
    ),
}

SUMS = {
    "inputs_added_again": (
        SLIP,
        "The second sum adds the block's inputs as well: it has only two parts.",
        "x + kept[1]",
        "x + inputs + kept[1]",
    ),
    "inputs_added_before_the_network": (
        SLIP,
        "The network gets what went into the first norm: give it what came out.",
        _NETWORK,
        f"network(inputs + kept[0] * {_GIVEN}, w)",
    ),
    "second_sum_adds_the_first_sum": (
        SLIP,
        "The second sum adds what went into the first norm: add what came out of it.",
        "x + kept[1]",
        f"inputs + kept[0] * {_GIVEN} + kept[1]",
    ),
    "network_first": (
        SLIP,
        "The feed-forward network comes before Fastformer: it should come after it.",
        f"inputs + kept[0] * {_GIVEN}",
        "inputs + kept[1] * network(inputs, w)",
        f"x + kept[1] * {_NETWORK}",
        "x + kept[0] * global_context(x, num_heads, mask, w)",
    ),
    "no_activation": (
        PART,
        "The feed-forward network has no activation between its two layers.",
        "gelu(hidden)",
        "hidden",
    ),
    "gelu_twice": (
        SLIP,
        "The network's hidden units went through a second gelu: expand has one already.",
        "gelu(hidden)",
        "approximate_gelu(gelu(hidden))",  # keras.ops has another formula than the layer
    ),
    "relu": (
        SLIP,
        "The network's activation is relu: the layer that you were given has gelu.",
        "gelu(hidden)",
        "np.maximum(hidden, 0)",
    ),
    "hidden_units_dropped": (
        SLIP,
        "The network's hidden units are dropped: the task asks for dropout on its output.",
        f"kept[1] * {_NETWORK}",
        "network(x, {**w, 'kept': kept[1]})",
        "gelu(hidden)",
        "w['kept'] * gelu(hidden)",
    ),
}
