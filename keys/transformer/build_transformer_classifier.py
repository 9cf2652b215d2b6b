"""The key of ``transformer.build_transformer_classifier``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Cost, Key
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS, ONE_NUMBER
from course.exercises.transformer.build_transformer_classifier import (
    DIFFERENT,
    ELSEWHERE,
    EXERCISE,
    NOT_INSIDE,
    SAME,
    SHARED,
    silent_encoder,
)
from course.exercises.transformer.dropout_shares import CALLS, NO_SHARES, shares
from course.exercises.weights import filled
from keys.attention.common import softmax
from keys.transformer.common import dropout, layer_norm, masked_mean
from keys.transformer.encoder_layer import KEY as ENCODER
from keys.transformer.encoder_layer import encoder_layer
from keys.transformer.mistaken import DROPPED_ELSEWHERE, LAST_STEPS, MASKS_OF_IDS, SAID_OF_THE_LAYER
from keys.transformer.token_and_position_embedding import token_and_position_embedding
from selfcheck.exercise import Case


def build_transformer_classifier(
    ids: np.ndarray,
    num_heads: int,
    token_table: np.ndarray,
    position_table: np.ndarray,
    class_kernel: np.ndarray,
    class_bias: np.ndarray,
    rate: float | None = None,
    **w: np.ndarray,
) -> dict[str, np.ndarray]:
    """Embedding, one encoder layer, the mean over the tokens, dropout, class probabilities.

    Args:
        ids: (batch, max_length); 0 is padding.
        num_heads: H.
        token_table, position_table: see ``token_and_position_embedding``.
        class_kernel, class_bias: (embedding_dim, num_classes), (num_classes,).
        rate: of dropout when training, when there is one text, only the first feature of the mean
            isn't 0, and the encoder's dropouts change nothing; None when predicting. If it's 0, all
            that's asked is whether something is dropped.
        w: the encoder layer's.

    Returns:
        untrained, probabilities: (batch, num_classes), zeros, and in training with everything
        dropped;
        parameters: (1,), how many numbers are learned; rows: what the rows are; shares: how often
        each value of the first probability occurs in training. Or, if the rate is 0, at_rate_0:
        whether the model gives the same in training as when predicting, and at other rates drops
        something inside the encoder, and nothing else.
    """
    mask = ids != 0
    embedded = token_and_position_embedding(token_table, position_table, ids)["output"]
    encoded = encoder_layer(embedded, num_heads, mask, **w)["output"]
    kept, chances = dropout(rate, 1, 1)
    if rate == 0:
        in_training, dropped = (
            encoder_layer(embedded, num_heads, mask, share, **w)["output"] for share in (rate, 0.5)
        )
        inside = not np.allclose(dropped, encoded, equal_nan=True)
        same = np.allclose(in_training, encoded, equal_nan=True) and np.allclose(kept, 1)
        silent = silent_encoder(w)
        alone, beside = (
            encoder_layer(embedded, num_heads, mask, share, **silent)["output"]
            for share in (None, 0.5)
        )
        nowhere_else = SAME if np.allclose(alone, beside, equal_nan=True) else ELSEWHERE
        return {"at_rate_0": (nowhere_else if inside else NOT_INSIDE) if same else DIFFERENT}
    pooled = masked_mean(encoded, mask) * kept[0, :, 0]
    probabilities = softmax(pooled @ class_kernel + class_bias)
    arrays = (token_table, position_table, class_kernel, class_bias, *w.values())
    parameters = np.array([float(sum(array.size for array in arrays))])
    found = NO_SHARES[:1] if rate is None else shares(probabilities[None, :, 0], chances)
    return {
        "untrained": 0 * probabilities[: len(ids)],
        "probabilities": probabilities[: len(ids)],
        "parameters": parameters,
        "rows": DISTRIBUTIONS,
        "shares": found,
    }


KEY = Key(EXERCISE, build_transformer_classifier, mutant_sample=48)

_OTHER_ROWS = ('"rows": DISTRIBUTIONS', f'"rows": {NO_DISTRIBUTIONS!r}')

KEY.mistake(
    "encoder_without_mask",
    "Tokens attend to padding: the encoder layer doesn't get a mask, or doesn't use it.",
    "np.where(mask, logits, -1e9)",
    "logits",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "mean_over_padding",
    "The mean counts padding as well: the pooling layer takes a mask, too.",
    "masked_mean(encoded, mask)",
    "encoded.mean(axis=1)",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "counted_in_the_batch",
    "You divided by the number of tokens in all texts: each text has its own.",
    "masked_mean(encoded, mask)",
    "(encoded * mask[..., None]).sum(axis=1)"
    " / (max(mask.sum(), 1) * (1 if rate is None else CALLS))",
    cost=SLIP,
)
KEY.mistake(
    "no_mask_at_all",
    "No mask hides padding: tokens attend to it, and the mean counts it.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "masked_mean(encoded, mask)",
    "encoded.mean(axis=1)",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "first_token",
    "Only the first token's output is read.",
    "masked_mean(encoded, mask)",
    "encoded[:, 0]",
)
KEY.mistake(
    "no_softmax",
    "The last layer has no softmax: its rows don't sum to 1.",
    "softmax(pooled @ class_kernel + class_bias)",
    "pooled @ class_kernel + class_bias",
    *_OTHER_ROWS,
    cost=PART,
    paired=True,
)
KEY.mistake(
    "sigmoids",
    "The last layer has a sigmoid for each class; mutually exclusive classes need a softmax.",
    "softmax(pooled @ class_kernel + class_bias)",
    "1 / (1 + np.exp(-(pooled @ class_kernel + class_bias)))",
    *_OTHER_ROWS,
)
KEY.mistake(
    "token_times_position",
    "In the embedding, the token and position vectors are multiplied: they should be added.",
    "tokens + positions",
    "tokens * positions",
    section=2,
    cost=SLIP,
)

_INHERITED = "Here or in your EncoderLayer, "
# Every two of them take time: those that are seldom beside another mistake are not paired.
_BESIDE_OTHERS = (
    "no_first_residual",
    "no_second_residual",
    "no_first_norm",
    "no_second_norm",
    "no_relu",
)
for _name, _said in SAID_OF_THE_LAYER.items():
    _paired = _name in _BESIDE_OTHERS
    KEY.inherit(
        ENCODER.find(_name), _INHERITED + _said, section=3, paired=_paired, family="encoder"
    )


KEY.mistake(
    "largest_instead_of_mean",
    "You took the largest value of each feature, not the mean.",
    "masked_mean(encoded, mask)",
    "np.where(mask[:, :, None], encoded, -np.inf).max(axis=1)",
)
KEY.mistake(
    "sum_of_tokens",
    "The tokens were added up: a mean doesn't grow with the length of the text.",
    "masked_mean(encoded, mask)",
    "(encoded * mask[:, :, None]).sum(axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "mean_over_max_length",
    "Padding was set to 0 but still counted: divide by the number of tokens.",
    "masked_mean(encoded, mask)",
    "(encoded * mask[:, :, None]).mean(axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "positions_unused",
    "The positions have weights but aren't added to the tokens.",
    "tokens + positions",
    "tokens",
    section=2,
    cost=PART,
)
KEY.mistake(
    "mask_of_padding",
    "The mask is True for padding: it should be True for tokens.",
    "ids != 0",
    "ids == 0",
    # A text without padding is then one without tokens: 0 / 0.
    *_OTHER_ROWS,
    cost=SLIP,
)
KEY.mistake(
    "unknown_words_masked",
    "The mask hides unknown words, too: which ids are padding?",
    "ids != 0",
    "ids > 1",
    cost=SLIP,
)
for _name, _hint, _mask in MASKS_OF_IDS:
    KEY.mistake(_name, _hint, "ids != 0", _mask, cost=SLIP)
for _heads in (1, 2, 4, 8):
    KEY.mistake(
        f"heads_always_{_heads}",
        f"The encoder always has {_heads} head{'s' * (_heads > 1)}: give it the model's num_heads.",
        "(embedded, num_heads, mask, **w)",
        f"(embedded, {_heads}, mask, **w)",
        "(embedded, num_heads, mask, share, **w)",
        f"(embedded, {_heads}, mask, share, **w)",
        cost=SLIP,
    )
KEY.mistake(
    "ids_in_half_precision",
    "The ids come in as 16-bit numbers: beyond 2048, neighbouring ids can't be told apart. Make "
    "the model's inputs whole numbers.",
    "(token_table, position_table, ids)",
    "(token_table, position_table, ids.astype(np.float16).astype(int))",
    cost=SLIP,
)
KEY.mistake(
    "weights_of_an_earlier_model",
    "The model has layers of a model that was made before, so one changes when the other is "
    "trained: make new layers in each call.",
    "(nowhere_else if inside else NOT_INSIDE) if same else DIFFERENT",
    "SHARED",
    cost=SLIP,
)

# Where it is dropped, and how much, shows in training alone.

_NOTHING_INSIDE = "nowhere_else if inside else NOT_INSIDE", "NOT_INSIDE"
# First, because on top of an encoder that drops nothing it's the same as the next one.
KEY.mistake(
    "no_dropout_anywhere",
    "In training, nothing is dropped at all, neither between the mean and the last layer nor in "
    "the encoder.",
    "dropout(rate, 1,",
    "dropout(rate and 0.0, 1,",
    *_NOTHING_INSIDE,
    cost=PART,
)
KEY.mistake(
    "no_dropout",
    "Between the mean and the last layer, nothing is dropped in training.",
    "dropout(rate, 1,",
    "dropout(rate and 0.0, 1,",
    cost=PART,
)
KEY.mistake(
    "no_dropout_in_the_encoder",
    "Here or in your EncoderLayer, nothing is dropped inside the encoder in training: hand it the "
    "rate of the model, and leave it to Keras whether it's training.",
    *_NOTHING_INSIDE,
    cost=PART,
)
KEY.mistake(
    "share_kept_for_share_dropped",
    "The rate of the dropout after the mean is read the other way round: it's the share that is "
    "dropped, not the one that is kept.",
    "dropout(rate, 1,",
    "dropout(rate if rate is None else 1 - rate, 1,",
    cost=SLIP,
)
for _rate, _called in ((0.1, "a_tenth"), (0.2, "a_fifth"), (0.3, "three_tenths"), (0.5, "a_half")):
    KEY.mistake(
        f"always_{_called}_dropped",
        f"The dropout after the mean has the rate {_rate}, whatever rate the model is made with.",
        "dropout(rate, 1,",
        f"dropout(rate if rate is None else {_rate}, 1,",
        cost=SLIP,
    )
KEY.mistake(
    "probabilities_dropped",
    "Dropout comes last and drops probabilities: the task asks for it before the last layer.",
    " * kept[0, :, 0]",
    "",
    "softmax(pooled @ class_kernel + class_bias)",
    "softmax(pooled @ class_kernel + class_bias) * kept[0, :, 0]",
    '"rows": DISTRIBUTIONS',
    f'"rows": DISTRIBUTIONS if rate is None else {NO_DISTRIBUTIONS!r}',
    cost=SLIP,
)
KEY.mistake(
    "one_number_for_two_classes",
    "For two classes, the model gives one number: the task asks for a softmax over the classes, "
    "however many there are.",
    '"rows": DISTRIBUTIONS',
    f'"rows": {ONE_NUMBER!r} if class_kernel.shape[1] == 2 else DISTRIBUTIONS',
    # The weights don't fit, so nothing is measured in training.
    '"shares": found,',
    '"shares": -np.ones_like(found) if class_kernel.shape[1] == 2 else found,',
    cost=SLIP,
)
for _name, (_hint, *_edits) in (LAST_STEPS | DROPPED_ELSEWHERE).items():
    KEY.mistake(_name, _hint, *_edits, cost=SLIP)
KEY.mistake(
    "rate_of_the_encoder_ignored",
    "Here or in your EncoderLayer, the dropout inside the encoder doesn't have the rate that the "
    "model is made with: hand it on.",
    "np.allclose(in_training, encoded, equal_nan=True)",
    "False",
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_texts",
    "The softmax runs over the texts: each text's probabilities should sum to 1.",
    "softmax(pooled @ class_kernel + class_bias)",
    "softmax((pooled @ class_kernel + class_bias).T).T",
    *_OTHER_ROWS,
    cost=SLIP,
)


def _filled(ids: np.ndarray, given: dict, **shapes: tuple[int, ...]) -> Iterator[np.ndarray]:
    """The numbers of all weights of a model in which a case's have no place.

    Args:
        ids: of the case.
        given: the case's weights by name.
        shapes: of those that have another one.
    """
    return (filled(ids, shapes.get(name, value.shape)) for name, value in given.items())


def _other_weights(
    name: str,
    hint: str,
    shapes: str,
    *edits: str,
    section: int | None = None,
    cost: Cost = SLIP,
) -> None:
    """Register a model with weights of other shapes, which takes none of the cases' weights."""
    tables = "token_table, position_table, class_kernel, class_bias"
    given = ", ".join(f"{table}={table}" for table in tables.split(", "))
    KEY.mistake(
        name,
        hint,
        "embedded = token",
        f"{tables}, *more = _filled(ids, dict({given}, **w), {shapes})\n"
        "    w = dict(zip(w, more))\n"
        "    embedded = token",
        '"shares": found,',
        "",
        *edits,
        section=section,
        cost=cost,
    )


_SIZE, _CLASSES = "token_table.shape[1]", "len(class_bias)"
_HIDDEN = "len(w['expand_bias'])"
_MEAN = "masked_mean(encoded, mask)"
_ENCODED = 'encoder_layer(embedded, num_heads, mask, **w)["output"]'

for _units, _called in (
    ("20", "20"),
    ("32", "32"),
    ("64", "64"),
    (_SIZE, "size"),
    (_HIDDEN, "ff"),
):
    _layer = f"filled(ids, ({_SIZE}, {_units})), filled(ids, ({_units},))"
    _other_weights(
        f"hidden_layer_of_{_called}",
        "There is one more Dense layer before the last one: compare the steps with the task.",
        f"class_kernel=({_units}, {_CLASSES})",
        "probabilities = softmax(pooled",
        f"hidden = {_layer}\n"
        "    pooled = np.maximum(pooled @ hidden[0] + hidden[1], 0)\n"
        "    probabilities = softmax(pooled",
        "*w.values())",
        "*w.values(), *hidden)",
    )
for _name, _table in (("one_row", "token_table"), ("one_position", "position_table")):
    _other_weights(
        f"{_name}_too_many",
        "One of the embedding's two tables has a row too many: give it max_length and "
        "vocabulary_size as they are. (The vocabulary already counts padding.)",
        f"{_table}=(len({_table}) + 1, {_SIZE})",
    )
for _units, _called, _said in (
    (_SIZE, "ignored", "has embedding_dim"),
    ("32", "always_32", "always has 32"),
    ("64", "always_64", "always has 64"),
):
    _other_weights(
        f"ff_dim_{_called}",
        f"The network inside the encoder {_said} hidden units: give your EncoderLayer ff_dim.",
        f"expand_kernel=({_SIZE}, {_units}), expand_bias=({_units},), "
        f"contract_kernel=({_units}, {_SIZE})",
    )
_OF_HEADS = f"{_SIZE} // num_heads * num_heads"
_other_weights(
    "heads_and_hidden_units_swapped",
    "Your EncoderLayer gets num_heads and ff_dim in the wrong order: look at its __init__.",
    f"expand_kernel=({_SIZE}, hidden), expand_bias=(hidden,), contract_kernel=(hidden, {_SIZE}), "
    f"**{{f'{{role}}_kernel': ({_SIZE}, {_OF_HEADS}) for role in ('query', 'key', 'value')}}, "
    f"**{{f'{{role}}_bias': ({_OF_HEADS},) for role in ('query', 'key', 'value')}}, "
    f"output_kernel=({_OF_HEADS}, {_SIZE})",
    "mask = ids",
    f"num_heads, hidden = {_HIDDEN}, num_heads\n    mask = ids",
)
for _length in (48, 100):
    _other_weights(
        f"length_always_{_length}",
        f"The table of positions always has {_length} rows: give the embedding max_length.",
        f"position_table=({_length}, {_SIZE})",
    )
for _name, _normed, _here in (
    ("", "pooled", "probabilities = softmax(pooled"),
    ("_after_the_embedding", "embedded", "encoded = encoder_layer("),
    ("_after_the_encoder", "encoded", "pooled = masked"),
):
    _other_weights(
        f"one_norm_more{_name}",
        "There is a layer normalisation besides the two in the encoder: compare the steps with the "
        "task.",
        "",
        _here,
        f"gamma = filled(ids, ({_SIZE},))\n"
        f"    {_normed} = layer_norm({_normed}, gamma, gamma)\n"
        f"    {_here}",
        "*w.values())",
        "*w.values(), gamma, gamma)",
    )
for _name, _more, _hint in (
    (
        "encoder_for_each_head",
        "num_heads - 1",
        "There is an encoder layer for each head: the task asks for one, which has all the heads "
        "inside.",
    ),
    (
        "two_encoders",
        "1",
        "There are two encoder layers: the task asks for one, which has all the heads inside.",
    ),
):
    _other_weights(
        _name,
        _hint,
        "",
        "pooled = masked",
        f"for _ in range({_more}):\n"
        '        encoded = encoder_layer(encoded, num_heads, mask, **w)["output"]\n'
        "    pooled = masked",
        "*w.values())",
        f"*(1 + {_more}) * [*w.values()])",
    )
_other_weights(
    "mean_over_features",
    "The mean runs over the features, so each token becomes a single number: it should run over "
    "the tokens.",
    f"class_kernel=(ids.shape[1], {_CLASSES})",
    _MEAN,
    "encoded.mean(axis=2)",
)
_other_weights(
    "no_encoder",
    "The model has no encoder layer.",
    "",
    _ENCODED,
    "embedded",
    ", *w.values())",
    ")",
    *_NOTHING_INSIDE,
    cost=PART,
)
_other_weights(
    "tokens_flattened",
    "The last layer gets the features of all tokens side by side: the task asks for their mean.",
    f"class_kernel=(ids.shape[1] * {_SIZE}, {_CLASSES})",
    _MEAN,
    "encoded.reshape(len(encoded), -1)",
    cost=IDEA,
)
_POSITIONS = (
    ("model_without_positions", ": check what its embedding does with them", "tokens"),
    (
        "sines_for_positions",
        ", but sines",
        'tokens + positional_encoding(*positions.shape)["encoding"]',
    ),
    (
        "numbers_for_positions",
        ", but adds their numbers",
        "tokens + np.arange(len(positions))[:, None]",
    ),
    (
        "tokens_for_positions",
        ", but looks them up among the tokens",
        "tokens + token_table[: len(positions)]",
    ),
)
for _name, _but, _sum in _POSITIONS:
    _other_weights(
        _name,
        f"The model has no weights for positions{_but}.",
        "",
        "tokens + positions",
        _sum,
        "(token_table, position_table, class_kernel",
        "(token_table, class_kernel",
        section=2,
        cost=PART,
    )
_other_weights(
    "one_number_always",
    "The model gives one number per text: the task asks for a softmax over the classes, however "
    "many there are.",
    f"class_kernel=({_SIZE}, 1), class_bias=(1,)",
    "softmax(pooled @ class_kernel + class_bias)",
    "1 / (1 + np.exp(-(pooled @ class_kernel + class_bias)))",
    '"rows": DISTRIBUTIONS',
    f'"rows": {ONE_NUMBER!r}',
)
_other_weights(
    "always_four_classes",
    "The last layer always has 4 outputs: give it num_classes.",
    f"class_kernel=({_SIZE}, 4), class_bias=(4,)",
)
KEY.mistake(
    "ids_looked_up_among_positions",
    "Ids are looked up in a table of max_length rows: compare the order of the sizes that you give "
    "your TokenAndPositionEmbedding with its __init__, and look at what its `call` looks up where.",
    "token_and_position_embedding(token_table,",
    "token_and_position_embedding(token_table[: len(position_table)],",
    section=2,
    cost=SLIP,
    failure="is not in",
)
KEY.mistake(
    "embeddings_scaled",
    "The embeddings are multiplied by a number between two layers, which the task doesn't ask for: "
    "give them to the encoder as they are. (Keras takes the product for a sparse tensor, so the "
    "model fails.)",
    "token_and_position_embedding(token_table,",
    "token_and_position_embedding(token_table[:0],",
    section=2,
    cost=SLIP,
    failure="Sparse",
)
KEY.mistake(
    "numbers_needed_while_built",
    "Here or in your own layers, something needs numbers while the model is being built, when "
    "tensors have none yet: use Keras' ops and layers, without NumPy, `if` or loops over texts.",
    "token_and_position_embedding(token_table,",
    "token_and_position_embedding(token_table[:1],",
    cost=SLIP,
    failure="symbolic|Symbolic",
)


def _padded_before(case: Case) -> np.ndarray:
    """Where padding has no token before it (batch, length)."""
    return np.cumsum(case.inputs["ids"], axis=1) == 0


def _padded_between(case: Case) -> np.ndarray:
    """Where padding has a token behind it (batch, length)."""
    ids = case.inputs["ids"]
    return (ids == 0) & (np.cumsum(ids[:, ::-1], axis=1)[:, ::-1] > 0)


INPUT_CLASSES = {
    "texts without padding": lambda cases: any(case.inputs["ids"].all() for case in cases),
    "texts of different lengths": lambda cases: any(
        len(set((case.inputs["ids"] > 0).sum(axis=1))) > 1 for case in cases
    ),
    "a text without padding beside padded ones": lambda cases: any(
        0 < case.inputs["ids"].all(axis=1).sum() < len(case.inputs["ids"]) for case in cases
    ),
    "the lowest id of a token": lambda cases: any(
        1 in case.inputs["ids"] and 0 in case.inputs["ids"] for case in cases
    ),
    "padding before, between and after tokens": lambda cases: any(
        _padded_before(case).any()
        and (_padded_between(case) & ~_padded_before(case)).any()
        and (case.inputs["ids"][:, -1] == 0).any()
        for case in cases
    ),
    "ids that numbers of 16 bits can't tell apart": lambda cases: any(
        (case.inputs["ids"] != case.inputs["ids"].astype(np.float16)).any() for case in cases
    ),
    "other heads than in the lesson's models": lambda cases: any(
        case.inputs["num_heads"] not in (1, 2, 4) for case in cases
    ),
    "the highest id": lambda cases: any(
        len(case.inputs["token_table"]) - 1 in case.inputs["ids"] for case in cases
    ),
    "training": lambda cases: any(case.inputs.get("rate") for case in cases),
    "a rate of 0": lambda cases: any(case.inputs.get("rate") == 0 for case in cases),
    "predicting": lambda cases: any("rate" not in case.inputs for case in cases),
}
