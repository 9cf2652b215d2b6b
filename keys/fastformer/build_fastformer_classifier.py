"""The key of ``fastformer.build_fastformer_classifier``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises import dropout
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS, ONE_NUMBER
from course.exercises.fastformer.build_fastformer_classifier import EXERCISE
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
        learned; rows: what the rows are; dropping: what is dropped while training.

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
        "dropping": dropout.AS_ASKED,
    }


KEY = Key(EXERCISE, build_fastformer_classifier, mutant_sample=120)


_OTHER_ROWS = ('"rows": DISTRIBUTIONS', f'"rows": {NO_DISTRIBUTIONS!r}')

KEY.mistake(
    "embeddings_scaled",
    "The embeddings are multiplied by the square root of the hidden size: this model takes them as "
    "they are.",
    "table[ids]",
    "table[ids] * np.sqrt(table.shape[1])",
    cost=SLIP,
    paired=True,
)
for _name, _hidden, _share in (
    ("a_head", "as many hidden units as a head has features", "1 / num_heads"),
    ("the_network", "ff_dim hidden units", "w['expand_bias'].shape[-1] / table.shape[1]"),
):
    KEY.mistake(
        f"pooling_as_wide_as_{_name}",
        f"The attention pooling has {_hidden}: give it the hidden size, num_heads · size_per_head.",
        "for array in arrays)",
        "for array in arrays)\n"
        f"        - (1 - {_share}) * (w['pool_kernel'].size + 2 * w['pool_bias'].size)",
        # A model that has no place for a case's weights gives no probabilities with them.
        '"probabilities": probabilities,',
        "",
        '"dropping": dropout.AS_ASKED,',
        "",
        cost=SLIP,
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
KEY.mistake(
    "weights_of_one_block",
    "However many blocks num_blocks asks for, the model has the weights of one: does each round "
    "make a new block, and does it read what the last one gave?",
    "*w.values()",
    f"*{_BLOCKS}",
    '"probabilities": probabilities,',
    '**({"probabilities": probabilities} if num_blocks < 2 else {}),',
    '"dropping": dropout.AS_ASKED,',
    '**({"dropping": dropout.AS_ASKED} if num_blocks < 2 else {}),',
    cost=SLIP,
)
KEY.mistake(
    "weights_of_two_blocks",
    "However many blocks num_blocks asks for, the model has the weights of two at most: each block "
    "is a new one.",
    "*w.values()",
    f"*{_BLOCKS.replace('stack[:1]', 'stack[:2]')}",
    '"probabilities": probabilities,',
    '**({"probabilities": probabilities} if num_blocks < 3 else {}),',
    cost=SLIP,
)
for _blocks, _called, _said in (
    (1, "one_block_always", "There is one block, whatever num_blocks is."),
    (2, "two_blocks_always", "There are two blocks, whatever num_blocks is."),
):
    KEY.mistake(
        _called,
        _said,
        "*w.values()",
        f"*{_BLOCKS.replace('stack[:1]', f'np.empty(({_blocks}, *stack.shape[1:]))')}",
        '"probabilities": probabilities,',
        f'**({{"probabilities": probabilities}} if num_blocks == {_blocks} else {{}}),',
        '"dropping": dropout.AS_ASKED,',
        f'**({{"dropping": dropout.AS_ASKED}} if num_blocks == {_blocks} else {{}}),',
        cost=SLIP,
    )
KEY.mistake(
    "one_block_at_least",
    "There is a block even if num_blocks is 0: then the words themselves are pooled.",
    "*w.values()",
    f"*{_BLOCKS.replace('stack[:1]', 'np.empty((max(num_blocks, 1), *stack.shape[1:]))')}",
    '"probabilities": probabilities,',
    '**({"probabilities": probabilities} if num_blocks else {}),',
    '"dropping": dropout.AS_ASKED,',
    '**({"dropping": dropout.AS_ASKED} if num_blocks else {}),',
    cost=SLIP,
)
KEY.mistake(
    "one_block_too_few",
    "There is one block fewer than num_blocks: where does the count start?",
    "*w.values()",
    f"*{_BLOCKS.replace('stack[:1]', 'stack[1:]')}",
    '"probabilities": probabilities,',
    '**({} if num_blocks else {"probabilities": probabilities}),',
    '"dropping": dropout.AS_ASKED,',
    '**({} if num_blocks else {"dropping": dropout.AS_ASKED}),',
    cost=SLIP,
)
# A model that has no place for a case's weights gives no probabilities with them, and what it drops
# isn't measured.
NO_PLACE = ('"probabilities": probabilities,', "")
NOT_MEASURED = ('"dropping": dropout.AS_ASKED,', "")

_ARRAYS = "(table, class_kernel, class_bias, *w.values())"
_WITHOUT_POOLING = "*(w[name] for name in w if not name.startswith('pool')))"

OTHER_LAYERS = {
    "no_attention_pooling": (
        PART,
        "The model ends without attention pooling: make an AttentionPooling, and use what it gives "
        "for the tokens' vectors and the mask.",
        _ARRAYS,
        f"(table, class_kernel, class_bias, {_WITHOUT_POOLING}",
        *NO_PLACE,
        *NOT_MEASURED,
    ),
    "positions_added": (
        SLIP,
        "There is a table of positions: this model shouldn't have one.",
        _ARRAYS,
        "(table, class_kernel, class_bias, *w.values(), np.empty((ids.shape[1], table.shape[1])))",
        *NO_PLACE,
        *NOT_MEASURED,
    ),
    "one_row_too_many": (
        SLIP,
        "The table of tokens has a row too many: the size of the vocabulary already counts "
        "padding.",
        _ARRAYS,
        "(table, class_kernel, class_bias, *w.values(), table[0])",
        *NO_PLACE,
        *NOT_MEASURED,
    ),
    "heads_and_size_exchanged": (
        SLIP,
        "The number of heads and the size of a head changed places on the way to the block: in "
        "which order does it take them?",
        _ARRAYS,
        "(table, class_kernel, class_bias, *(np.empty((*stack.shape[:2], stack.shape[1] // "
        "num_heads)) if name in ('query_score_kernel', 'key_score_kernel') else stack for name, "
        "stack in w.items()))",
        '"probabilities": probabilities,',
        '**({} if num_blocks else {"probabilities": probabilities}),',
        '"dropping": dropout.AS_ASKED,',
        '**({} if num_blocks else {"dropping": dropout.AS_ASKED}),',
    ),
    "norm_after_the_embeddings": (
        SLIP,
        "There is one layer normalisation too many: each block has its own two, and the embeddings "
        "go into the first block without one.",
        _ARRAYS,
        "(table, class_kernel, class_bias, *w.values(), np.empty((2, table.shape[1])))",
        *NO_PLACE,
        *NOT_MEASURED,
    ),
    "no_class_bias": (
        SLIP,
        "The last layer has no bias: a dense layer has one unless you say otherwise.",
        _ARRAYS,
        "(table, class_kernel, *w.values())",
        *NO_PLACE,
        *NOT_MEASURED,
    ),
    "embedding_as_wide_as_a_head": (
        SLIP,
        "The embedding has the features of one head: it needs those of all, num_heads · "
        "size_per_head.",
        "x = embedded\n",
        "x = embedded[..., : table.shape[1] // num_heads] if num_blocks else embedded\n",
        "float(sum(array.size for array in arrays))",
        "float(sum(array.size for array in arrays) - (1 - 1 / num_heads) * "
        "(table.size + w['pool_kernel'].size + class_kernel.size))",
        *NO_PLACE,
        *NOT_MEASURED,
    ),
    "tokens_flattened": (
        IDEA,
        "The tokens' vectors were laid end to end: the last layer reads one vector, pooled from "
        "them.",
        _ARRAYS,
        f"(table, *[class_kernel] * ids.shape[1], class_bias, {_WITHOUT_POOLING}",
        *NO_PLACE,
        *NOT_MEASURED,
    ),
    "dense_layer_before_the_last": (
        SLIP,
        "There is a dense layer between the pooling and the last layer: this model shouldn't have "
        "one.",
        _ARRAYS,
        "(table, class_kernel, class_bias, *w.values(), "
        "np.empty((table.shape[1] + 1, table.shape[1])))",
        *NO_PLACE,
        *NOT_MEASURED,
    ),
    "one_number_for_two_classes": (
        SLIP,
        "For two classes, the model gives one number: the task asks for a softmax over the "
        "classes, however many there are.",
        _ARRAYS,
        "(table, *((class_kernel, class_bias) if len(class_bias) > 2 else (class_kernel[:, 1:], "
        "class_bias[1:])), *w.values())",
        '"rows": DISTRIBUTIONS',
        f'"rows": DISTRIBUTIONS if len(class_bias) > 2 else {ONE_NUMBER!r}',
        '"probabilities": probabilities,',
        '**({"probabilities": probabilities} if len(class_bias) > 2 else {}),',
        '"dropping": dropout.AS_ASKED,',
        '**({"dropping": dropout.AS_ASKED} if len(class_bias) > 2 else {}),',
    ),
}

_CONNECTED = (
    "*w.values()",
    "*(stack for name, stack in w.items() if name.startswith('pool'))",
    '"probabilities": probabilities,',
    '**({} if num_blocks else {"probabilities": probabilities}),',
)

POOLINGS = {
    "blocks_lead_nowhere": (
        SLIP,
        "Nothing reads what the blocks give, so they aren't part of the model: each block's output "
        "is the next one's input, and the last one's is pooled.",
        *_CONNECTED,
        '"dropping": dropout.AS_ASKED,',
        '**({} if num_blocks else {"dropping": dropout.AS_ASKED}),',
    ),
    "words_pooled": (
        SLIP,
        "The words' embeddings are pooled, so neither their dropout nor the blocks are part of the "
        "model: pool what the last block gives.",
        *_CONNECTED,
        '"dropping": dropout.AS_ASKED,',
        '**({} if num_blocks else {"dropping": dropout.NOTHING}),',
    ),
    "embeddings_pooled": (
        IDEA,
        "The embeddings are pooled at the end: pool what the last block gives.",
        "attention_pooled(x, mask, w)",
        "attention_pooled(embedded, mask, w)",
        '"dropping": dropout.AS_ASKED',
        '"dropping": dropout.ELSEWHERE if num_blocks else dropout.AS_ASKED',
    ),
}

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

KEY.mistake(
    "one_block_too_many",
    "There is one block more than num_blocks: where does the count end?",
    "*w.values()",
    f"*{_BLOCKS.replace('stack[:1]', 'np.empty((num_blocks + 1, *stack.shape[1:]))')}",
    *NO_PLACE,
    *NOT_MEASURED,
    cost=SLIP,
)

for _name, (_cost, _hint, *_changes) in {**OTHER_LAYERS, **POOLINGS}.items():
    KEY.mistake(_name, _hint, *_changes, cost=_cost)


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
KEY.mistake(
    "one_norm_in_the_blocks",
    _INHERITED + "the blocks use one norm twice.",
    "*w.values()",
    "*(stack for name, stack in w.items() if not name.endswith('_2'))",
    '"probabilities": probabilities,',
    '**({} if num_blocks else {"probabilities": probabilities}),',
    '"dropping": dropout.AS_ASKED,',
    '**({} if num_blocks else {"dropping": dropout.AS_ASKED}),',
    section=4,
    cost=SLIP,
)
KEY.mistake(
    "blocks_drop_while_predicting",
    _INHERITED + "the blocks drop something while predicting.",
    '"probabilities": probabilities,',
    '"probabilities": dropout.CHANGING if num_blocks else probabilities,',
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
    '"probabilities": probabilities,',
    '"probabilities": dropout.CHANGING,',
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
