"""The key of ``fastformer.build_fastformer_classifier``."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises import dropout
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS, ONE_NUMBER
from course.exercises.fastformer.build_fastformer_classifier import DIFFERENT, EXERCISE, SAME
from course.exercises.fastformer.common import BLOCK_WEIGHTS
from course.exercises.weights import filled
from keys.attention.common import softmax
from keys.fastformer.common import (
    DROPS_WITH_THE_BLOCK,
    SAID_OF_THE_BLOCK,
    SAID_OF_THE_LAYER,
    attention_pooled,
)
from keys.fastformer.fastformer import KEY as FASTFORMER
from keys.fastformer.fastformer_block import KEY as BLOCK
from keys.fastformer.fastformer_block import fastformer_block
from keys.input_classes import among_others, some
from keys.transformer.common import layer_norm


def build_fastformer_classifier(
    ids: np.ndarray,
    num_heads: int,
    num_blocks: int,
    rate: float,
    table: np.ndarray,
    class_kernel: np.ndarray,
    class_bias: np.ndarray,
    **w: np.ndarray,
) -> dict[str, np.ndarray]:
    """Embeddings, blocks, attention pooling, class probabilities.

    Args:
        ids: (batch, max_length); 0 is padding.
        num_heads: H.
        num_blocks: how many Fastformer blocks.
        rate: of the dropouts; it changes nothing while predicting.
        table: (vocabulary_size, hidden).
        class_kernel, class_bias: (hidden, num_classes), (num_classes,).
        w: the weights that ``fastformer_block`` takes, with the block as a further first axis, and
            those of the pooling: pool_kernel (hidden, hidden), pool_bias (hidden,),
            pool_score_kernel (hidden, 1), pool_score_bias (1,).

    Returns:
        untrained, probabilities: (batch, num_classes); parameters: (1,), how many numbers are
        learned; rows: what the rows are; repeats: whether a text always gives the same; dropping:
        what is dropped while training.

    Reference: the authors' code, https://github.com/wuch15/Fastformer; the pooling is that of their
    notebook for PyTorch, and there are no positions, as in the one for Keras.
    """
    mask = ids != 0
    embedded = table[ids]
    x = embedded
    for number in range(num_blocks):
        own = {name: stack[number] for name, stack in w.items() if not name.startswith("pool")}
        x = fastformer_block(x, num_heads, mask=mask, **own)["output"]
    pooled = attention_pooled(x, mask, w)
    probabilities = softmax(pooled @ class_kernel + class_bias)
    arrays = (table, class_kernel, class_bias, *w.values())
    return {
        "untrained": probabilities,
        "probabilities": probabilities,
        "parameters": np.array([float(sum(array.size for array in arrays))]),
        "rows": DISTRIBUTIONS,
        "repeats": SAME,
        "dropping": dropout.AS_ASKED,
    }


KEY = Key(EXERCISE, build_fastformer_classifier, mutant_sample=120)


_OTHER_ROWS = ('"rows": DISTRIBUTIONS', f'"rows": {NO_DISTRIBUTIONS!r}')

_ENDS = "table", "class_kernel", "class_bias"
"""What is in no block and no pooling."""


def _filled(
    ids: np.ndarray, num_blocks: int, given: dict[str, np.ndarray], **shapes: tuple[int, ...]
) -> dict[str, np.ndarray]:
    """All weights of a model in which a case's have no place, by name.

    Args:
        ids: of the case.
        num_blocks: of the model.
        given: the case's weights.
        shapes: of those that have another one, without the blocks.
    """
    found = {}
    for name, value in given.items():
        of_blocks = name in BLOCK_WEIGHTS.values()
        own = filled(ids, shapes.get(name, value.shape[of_blocks:]))
        found[name] = np.broadcast_to(own, (num_blocks, *own.shape)) if of_blocks else own
    return found


def _other_weights(
    name: str,
    hint: str,
    shapes: str,
    *edits: str,
    when: str = "True",
    count: str = "num_blocks",
    **more: Any,
) -> None:
    """Register a model in which the weights of some cases have no place.

    Args:
        name, hint, edits, more: see ``Key.mistake``; more may also say what's ``dropping`` in the
            other cases.
        shapes: keyword arguments with the shapes of weights outside the blocks.
        when: of which cases the weights don't fit: then what's dropped isn't measured.
        count: how many blocks there are then.
    """
    dropping = more.pop("dropping", "AS_ASKED")
    KEY.mistake(
        name,
        hint,
        "embedded = table",
        f"fit = not ({when})\n"
        "    if not fit:\n"
        f"        num_blocks = {count}\n"
        "        w.update(table=table, class_kernel=class_kernel, class_bias=class_bias)\n"
        f"        w = _filled(ids, num_blocks, w, {shapes})\n"
        "        table, class_kernel, class_bias = map(w.pop, _ENDS)\n"
        "    embedded = table",
        '"dropping": dropout.AS_ASKED,',
        f'**({{"dropping": dropout.{dropping}}} if fit else {{}}),',
        *edits,
        **{"cost": SLIP} | more,
    )


KEY.mistake(
    "embeddings_scaled",
    "The embeddings are multiplied by the square root of the hidden size: this model takes them as "
    "they are.",
    "table[ids]",
    "table[ids] * np.sqrt(table.shape[1])",
    cost=SLIP,
)
for _name, _units, _width in (
    ("a_head", "as many hidden units as a head has features", "table.shape[1] // num_heads"),
    ("the_network", "ff_dim hidden units", "w['expand_bias'].shape[-1]"),
):
    _other_weights(
        f"pooling_as_wide_as_{_name}",
        f"The attention pooling has {_units}: give it the hidden size, num_heads · size_per_head.",
        f"pool_kernel=(table.shape[1], {_width}), pool_bias=({_width},), "
        f"pool_score_kernel=({_width}, 1)",
    )
KEY.mistake(
    "blocks_side_by_side",
    "All blocks read the embeddings: each one should read what the previous one made of them.",
    "fastformer_block(x,",
    "fastformer_block(embedded,",
)
KEY.mistake(
    "embeddings_added_again",
    "What goes into a block is added to its output once more: the block has its own sums.",
    'x = fastformer_block(x, num_heads, mask=mask, **own)["output"]',
    'x = x + fastformer_block(x, num_heads, mask=mask, **own)["output"]',
    cost=SLIP,
)
KEY.mistake(
    "blocks_without_mask",
    "The blocks' global queries and keys contain padding: the mask must reach each block, and "
    "Fastformer inside it.",
    "mask=mask, **own",
    "mask=None, **own",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "mask_in_first_block_only",
    "Only the first block gets the mask: the other blocks pool padding as well.",
    "mask=mask, **own",
    "mask=None if number else mask, **own",
    cost=PART,
)
KEY.mistake(
    "mask_inverted_in_blocks",
    "The blocks get a mask that's True for padding, or pass it on that way: True is a token.",
    "mask=mask, **own",
    "mask=~mask, **own",
    cost=SLIP,
)
KEY.mistake(
    # Keras carries a block's mask on to what reads its output.
    "words_pooled_without_mask",
    "Without blocks, the attention pooling counts padding as well: it takes a mask, too.",
    "attention_pooled(x, mask, w)",
    "attention_pooled(x, mask if num_blocks else np.ones_like(mask), w)",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "pooled_without_mask",
    "The attention pooling at the end counts padding as well: it takes a mask, too.",
    "attention_pooled(x, mask, w)",
    "attention_pooled(x, np.ones_like(mask), w)",
    cost=PART,
)
KEY.mistake(
    "no_mask_at_all",
    "No mask hides padding: it's pooled in the blocks and at the end.",
    "ids != 0",
    "np.ones_like(ids, bool)",
    cost=PART,
)
KEY.mistake(
    "mask_inverted",
    "The mask is True for padding: True is a token.",
    "ids != 0",
    "ids == 0",
    cost=SLIP,
)
KEY.mistake(
    "unknown_words_masked",
    "The mask hides unknown words, too: which ids are padding?",
    "ids != 0",
    "ids > 1",
    cost=SLIP,
)
KEY.mistake(
    "words_counted",
    "You counted the ids that aren't 0, and treated that many at the start as words: padding "
    "may also come before or between them. Check each id.",
    "ids != 0",
    "np.arange(ids.shape[1]) < (ids != 0).sum(axis=1, keepdims=True)",
    cost=SLIP,
)
KEY.mistake(
    "no_softmax",
    "The last layer has no softmax: its rows don't sum to 1.",
    "softmax(pooled @ class_kernel + class_bias)",
    "pooled @ class_kernel + class_bias",
    *_OTHER_ROWS,
    cost=PART,
)
KEY.mistake(
    "softmax_twice",
    "There are two softmaxes, one after the other, which makes the probabilities almost equal.",
    "softmax(pooled @ class_kernel + class_bias)",
    "softmax(softmax(pooled @ class_kernel + class_bias))",
    '"dropping": dropout.AS_ASKED',
    '"dropping": dropout.ELSEWHERE if num_blocks else dropout.OTHER_RATE',
    cost=SLIP,
)
KEY.mistake(
    "sigmoids",
    "The last layer has a sigmoid for each class; mutually exclusive classes need a softmax.",
    "softmax(pooled @ class_kernel + class_bias)",
    "1 / (1 + np.exp(-(pooled @ class_kernel + class_bias)))",
    *_OTHER_ROWS,
)

_BLOCKS = "(stack[:1] if not name.startswith('pool') else stack for name, stack in w.items())"
_other_weights(
    "weights_of_one_block",
    "However many blocks num_blocks asks for, the model has the weights of one: does each round "
    "make a new block?",
    "",
    "*w.values()",
    f"*{_BLOCKS}",
    when="num_blocks > 1",
)
_other_weights(
    "last_block_alone",
    "However many blocks num_blocks asks for, the model has the weights of one: does each one "
    "read what the last one gave?",
    "",
    when="num_blocks > 1",
    count="1",
)
_other_weights(
    "weights_of_two_blocks",
    "However many blocks num_blocks asks for, the model has the weights of two at most: each block "
    "is a new one.",
    "",
    "*w.values()",
    f"*{_BLOCKS.replace('stack[:1]', 'stack[:2]')}",
    when="num_blocks > 2",
)
for _name, _hint, _when, _count in (
    ("one_block_always", "There is one block, whatever num_blocks is.", "num_blocks != 1", "1"),
    ("two_blocks_always", "There are two blocks, whatever num_blocks is.", "num_blocks != 2", "2"),
    (
        "one_block_at_least",
        "There is a block even if num_blocks is 0: then the words themselves are pooled.",
        "not num_blocks",
        "1",
    ),
    (
        "one_block_too_few",
        "There is one block fewer than num_blocks: where does the count start?",
        "num_blocks",
        "num_blocks - 1",
    ),
    (
        "one_block_too_many",
        "There is one block more than num_blocks: where does the count end?",
        "True",
        "num_blocks + 1",
    ),
):
    _other_weights(_name, _hint, "", when=_when, count=_count)

_ARRAYS = "(table, class_kernel, class_bias, *w.values())"
_WITHOUT_POOLING = "*(w[name] for name in w if not name.startswith('pool')))"
_POOLED = "attention_pooled(x, mask, w)"
_SIZE, _CLASSES = "table.shape[1]", "len(class_bias)"

for _name, _instead in (
    ("no_attention_pooling", "(x * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)"),
    ("first_word_instead_of_pooling", "x[:, 0]"),
):
    _other_weights(
        _name,
        "The model ends without attention pooling: make an AttentionPooling, and use what it gives "
        "for the tokens' vectors and the mask.",
        "",
        _ARRAYS,
        f"(table, class_kernel, class_bias, {_WITHOUT_POOLING}",
        _POOLED,
        _instead,
        cost=PART,
    )
_other_weights(
    "positions_added",
    "There is a table of positions: this model shouldn't have one.",
    "",
    _ARRAYS,
    "(table, class_kernel, class_bias, *w.values(), embedded[0])",
    "table[ids]",
    f"table[ids] + filled(ids, (ids.shape[1], {_SIZE}))",
)
_other_weights(
    "one_row_too_many",
    "The table of tokens has a row too many: the size of the vocabulary already counts padding.",
    f"table=(len(table) + 1, {_SIZE})",
)
_other_weights(
    "heads_and_size_exchanged",
    "The number of heads and the size of a head changed places on the way to the block: in "
    "which order does it take them?",
    f"**{{f'{{role}}_score_kernel': ({_SIZE}, {_SIZE} // num_heads) for role in ('query', 'key')}}",
    "(x, num_heads,",
    f"(x, {_SIZE} // num_heads,",
    when="num_blocks",
)
_other_weights(
    "norm_after_the_embeddings",
    "There is one layer normalisation too many: each block has its own two, and the embeddings "
    "go into the first block without one.",
    "",
    "x = embedded\n",
    f"gamma = filled(ids, ({_SIZE},))\n    x = layer_norm(embedded, gamma, gamma)\n",
    _ARRAYS,
    "(table, class_kernel, class_bias, *w.values(), gamma, gamma)",
)
_other_weights(
    "no_class_bias",
    "The last layer has no bias: a dense layer has one unless you say otherwise.",
    "",
    "pooled @ class_kernel + class_bias",
    "pooled @ class_kernel",
    _ARRAYS,
    "(table, class_kernel, *w.values())",
)
_other_weights(
    "embedding_as_wide_as_a_head",
    "The embedding has the features of one head: it needs those of all, num_heads · size_per_head.",
    f"table=(len(table), {_SIZE} // num_heads), pool_kernel=({_SIZE} // num_heads, {_SIZE}), "
    f"class_kernel=({_SIZE} // num_heads, {_CLASSES})",
)
_other_weights(
    "tokens_flattened",
    "The tokens' vectors were laid end to end: the last layer reads one vector, pooled from them.",
    f"class_kernel=(ids.shape[1] * {_SIZE}, {_CLASSES})",
    _ARRAYS,
    f"(table, class_kernel, class_bias, {_WITHOUT_POOLING}",
    _POOLED,
    "x.reshape(len(x), -1)",
    cost=IDEA,
)
_other_weights(
    "dense_layer_before_the_last",
    "There is a dense layer between the pooling and the last layer: this model shouldn't have one.",
    "",
    "probabilities = softmax",
    f"hidden = filled(ids, ({_SIZE}, {_SIZE})), filled(ids, ({_SIZE},))\n"
    "    pooled = np.maximum(pooled @ hidden[0] + hidden[1], 0)\n"
    "    probabilities = softmax",
    _ARRAYS,
    "(table, class_kernel, class_bias, *w.values(), *hidden)",
)
_other_weights(
    "one_number_for_two_classes",
    "For two classes, the model gives one number: the task asks for a softmax over the classes, "
    "however many there are.",
    f"class_kernel=({_SIZE}, 1), class_bias=(1,)",
    "softmax(pooled @ class_kernel + class_bias)",
    "(softmax(pooled @ class_kernel + class_bias) if fit else"
    " 1 / (1 + np.exp(-(pooled @ class_kernel + class_bias))))",
    '"rows": DISTRIBUTIONS',
    f'"rows": DISTRIBUTIONS if fit else {ONE_NUMBER!r}',
    when=f"{_CLASSES} == 2",
)
for _name, _found, _hint in (
    (
        "blocks_lead_nowhere",
        "AS_ASKED",
        "Nothing reads what the blocks give, so they aren't part of the model: each block's output "
        "is the next one's input, and the last one's is pooled.",
    ),
    (
        "words_pooled",
        "NOTHING",
        "The words' embeddings are pooled, so neither their dropout nor the blocks are part of the "
        "model: pool what the last block gives.",
    ),
):
    _other_weights(_name, _hint, "", when="num_blocks", count="0", dropping=_found)
KEY.mistake(
    "embeddings_pooled",
    "The embeddings are pooled at the end: pool what the last block gives.",
    _POOLED,
    "attention_pooled(embedded, mask, w)",
    '"dropping": dropout.AS_ASKED',
    '"dropping": dropout.ELSEWHERE if num_blocks else dropout.AS_ASKED',
)

DROPOUTS = {
    # Cost, hint, whether it's paired with others; what is found without blocks and with them.
    "no_dropout": (
        PART,
        "Nothing is dropped from the embeddings while training, and the blocks don't drop a share "
        "of rate, either: the embeddings need a dropout of their own, and each block takes rate.",
        False,
        "NOTHING",
        "OTHER_RATE_IN_BLOCKS",
    ),
    "no_dropout_of_embeddings": (
        PART,
        "Nothing is dropped from the embeddings while training: they need a dropout of their own.",
        True,
        "NOTHING",
        "AS_ASKED",
    ),
    "other_rate_in_blocks": (
        SLIP,
        "The blocks don't drop a share of rate: pass on the rate that the function is given.",
        False,
        "AS_ASKED",
        "OTHER_RATE_IN_BLOCKS",
    ),
    "embeddings_drop_alike": (
        SLIP,
        "In training, a feature is dropped from all words at once: the dropout belongs on the "
        "embeddings, and should choose for each word.",
        False,
        "ALIKE",
        "AS_ASKED",
    ),
    "dropout_after_the_pooling_only": (
        SLIP,
        "The dropout comes after the pooling: it belongs on the embeddings, where it chooses for "
        "each word.",
        False,
        "ALIKE",
        "ELSEWHERE",
    ),
    "dropout_after_the_pooling_too": (
        SLIP,
        "Features are dropped after the pooling as well: only the embeddings and the blocks drop.",
        False,
        "AFTER_POOLING",
        "ELSEWHERE",
    ),
    "dropout_before_the_pooling": (
        SLIP,
        "What goes into the pooling is dropped once more: only the embeddings and the blocks drop.",
        False,
        "OTHER_RATE",
        "ELSEWHERE",
    ),
    "dropout_between_blocks": (
        SLIP,
        "More is dropped than what the parts of a block give: nothing is dropped from their sums, "
        "nor between the blocks.",
        False,
        "AS_ASKED",
        "ELSEWHERE",
    ),
    "whole_words_dropped": (
        SLIP,
        "While training, all features of a word are dropped together: an ordinary dropout chooses "
        "each feature by itself.",
        False,
        "WHOLE_WORDS",
        "AS_ASKED",
    ),
    "one_minus_rate": (
        SLIP,
        "The dropout of the embeddings keeps a share of rate and drops the rest: rate is the share "
        "that's dropped.",
        False,
        "REVERSED",
        "AS_ASKED",
    ),
    "one_minus_rate_everywhere": (
        SLIP,
        "The embeddings and the blocks keep a share of rate and drop the rest: rate is the share "
        "that's dropped.",
        False,
        "REVERSED",
        "OTHER_RATE_IN_BLOCKS",
    ),
    "other_rate": (
        SLIP,
        "More or fewer of the embeddings' features are dropped than rate says: use the rate that "
        "the function is given.",
        False,
        "OTHER_RATE",
        "AS_ASKED",
    ),
    "other_rate_everywhere": (
        SLIP,
        "More or fewer features are dropped than rate says: use the rate that the function is "
        "given, for the embeddings and for the blocks.",
        False,
        "OTHER_RATE",
        "OTHER_RATE_IN_BLOCKS",
    ),
}


def _drops(without: str, with_blocks: str) -> tuple[str, str]:
    """An edit: what is found to be dropped, without blocks and with them."""
    both = f"dropout.{with_blocks} if num_blocks else dropout.{without}"
    return '"dropping": dropout.AS_ASKED', f'"dropping": {both}'


_INHERITED = "A part from an earlier task has a mistake: "
for _key, _section, _all in ((FASTFORMER, 3, SAID_OF_THE_LAYER), (BLOCK, 4, SAID_OF_THE_BLOCK)):
    for _name, _mistake in _all.items():
        _found = DROPS_WITH_THE_BLOCK.get(_name) if _key is BLOCK else None
        KEY.inherit(
            _key.find(_name),
            _INHERITED + _mistake,
            *(_drops("AS_ASKED", _found) if _found else ()),
            section=_section,
            name=f"{_name}_in_the_blocks",  # some are mistakes of the model itself as well
        )

KEY.mistake(
    "mask_not_passed_on_by_the_first_block",
    "The first block's global query and key contain padding: does a block pass its mask on to "
    "Fastformer?",
    "mask=mask, **own",
    "mask=mask if number else None, **own",
    section=4,
    cost=PART,
)
_other_weights(
    "one_norm_in_the_blocks",
    _INHERITED + "the blocks use one norm twice.",
    "",
    "*w.values()",
    "*(stack for name, stack in w.items() if not name.endswith('_2'))",
    section=4,
    when="num_blocks",
)
KEY.mistake(
    "blocks_drop_while_predicting",
    _INHERITED + "the blocks drop something while predicting.",
    '"repeats": SAME',
    '"repeats": DIFFERENT if num_blocks else SAME',
    *_drops("AS_ASKED", "WHILE_PREDICTING"),
    section=4,
    cost=SLIP,
)
for _name, _cost, _hint, _old, _new, _failure in (
    (
        "blocks_made_with_other_arguments",
        SLIP,
        "The blocks can't be made or called: a FastformerBlock takes num_heads, size_per_head, "
        "ff_dim and rate, in this order, and afterwards it's called with the vectors and the mask.",
        "fastformer_block(x,",
        "fastformer_block(None,",
        r"FastformerBlock.__init__|Dimensions must be equal",
    ),
    (
        "shape_of_one_number",
        PART,
        "keras.Input takes a shape, a tuple even for one axis: `(max_length,)`.",
        "table[ids]",
        "table[ids] @ None",
        "Cannot convert '.*' to a shape",
    ),
    (
        "functions_of_other_libraries",
        PART,
        "Inside a model, ids are symbolic: functions of TensorFlow or NumPy don't take them, and "
        "those of keras.ops do.",
        "ids != 0",
        "ids != (0 @ None)",
        "A KerasTensor cannot be used|A KerasTensor is symbolic",
    ),
    (
        "pooling_not_made_first",
        PART,
        "AttentionPooling is a class: make one with its hidden size, then call what you made with "
        "the vectors and the mask.",
        "attention_pooled(x, mask, w)",
        "attention_pooled(x, mask, None)",
        "AttentionPooling.__init__",
    ),
):
    KEY.mistake(_name, _hint, _old, _new, cost=_cost, failure=_failure)
KEY.mistake(
    "blocks_fail",
    "The blocks fail when the model calls them. Do the checks of the layer and of the block pass? "
    "If they do, look at what the model gives them: vectors and a mask (batch, time).",
    "weighted.sum(axis=-2)",
    'np.einsum("bt,btd->bd", alpha, x)',
    section=4,
    cost=SLIP,
    failure="Fastformer.call|Fastformer\\w*.call",
)


for _name, (_cost, _hint, _paired, *_found) in DROPOUTS.items():
    KEY.mistake(_name, _hint, *_drops(*_found), paired=_paired, cost=_cost)
KEY.mistake(
    "drops_while_predicting",
    "Something is dropped while predicting: the same text gets different probabilities each "
    "time. Let Keras decide whether the model is training.",
    *_drops("WHILE_PREDICTING", "WHILE_PREDICTING"),
    '"repeats": SAME',
    '"repeats": DIFFERENT',
    cost=SLIP,
)


INPUT_CLASSES = {
    "texts without padding": among_others(lambda given: (given["ids"] > 0).all()),
    "texts of different lengths": some(lambda given: len(set((given["ids"] > 0).sum(axis=1))) > 1),
    "padding before the words": some(lambda given: (given["ids"][:, 0] == 0).any()),
    "padding between the words": some(
        lambda given: (
            (given["ids"][:, :-1] == 0) & (given["ids"][:, 1:] > 0) & (given["ids"][:, :1] > 0)
        ).any()
    ),
    "padding after the words": some(lambda given: (given["ids"][:, -1] == 0).any()),
    "unknown words, id 1, beside padding": some(lambda given: {0, 1} <= set(given["ids"].flat)),
    "the last row of the table": among_others(
        lambda given: given["ids"].max() == len(given["table"]) - 1
    ),
    "no blocks": some(lambda given: given["num_blocks"] == 0),
    "two blocks": among_others(lambda given: given["num_blocks"] == 2),
    "three blocks": some(lambda given: given["num_blocks"] == 3),
    "two classes": some(lambda given: len(given["class_bias"]) == 2),
    "a rate that is not half": among_others(
        lambda given: given["rate"] not in (0.1, 0.2, 0.25, 0.3, 0.4, 0.5)
    ),
    "padding whose embedding is not 0": some(
        lambda given: (given["ids"] == 0).any() and given["table"][0].any()
    ),
    "words that score alike": some(lambda given: not given["pool_score_kernel"].any()),
}
