"""More mistakes in the Fastformer classifier: by name what each costs, its hint, and the edits of
the solution. Those in ``OTHER_LAYERS`` have other weights than the task's."""

from __future__ import annotations

from autograder.judging.keys import IDEA, PART, SLIP
from course.exercises.classifiers import ONE_NUMBER

# A model that has no place for a case's weights gives no probabilities with them, and what it drops
# isn't measured.
NO_PLACE = ('"probabilities": probabilities,', "")
NOT_MEASURED = ('"dropping": dropping.AS_ASKED,', "")

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
        '"dropping": dropping.AS_ASKED,',
        '**({} if num_blocks else {"dropping": dropping.AS_ASKED}),',
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
        '"dropping": dropping.AS_ASKED,',
        '**({"dropping": dropping.AS_ASKED} if len(class_bias) > 2 else {}),',
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
        '"dropping": dropping.AS_ASKED,',
        '**({} if num_blocks else {"dropping": dropping.AS_ASKED}),',
    ),
    "words_pooled": (
        SLIP,
        "The words' embeddings are pooled, so neither their dropout nor the blocks are part of the "
        "model: pool what the last block gives.",
        *_CONNECTED,
        '"dropping": dropping.AS_ASKED,',
        '**({} if num_blocks else {"dropping": dropping.NOTHING}),',
    ),
    "embeddings_pooled": (
        IDEA,
        "The embeddings are pooled at the end: pool what the last block gives.",
        "attention_pooled(x, mask, w)",
        "attention_pooled(embedded, mask, w)",
        '"dropping": dropping.AS_ASKED',
        '"dropping": dropping.ELSEWHERE if num_blocks else dropping.AS_ASKED',
    ),
}

DROPOUTS = {
    # Cost, hint, whether it's only looked for alone; what is found without blocks and with them.
    "no_dropout": (
        PART,
        "Nothing is dropped from the embeddings while training, and the blocks don't drop a share "
        "of rate, either: the embeddings need a dropout of their own, and each block takes rate.",
        True,
        "NOTHING",
        "OTHER_RATE_IN_BLOCKS",
    ),
    "no_dropout_of_embeddings": (
        PART,
        "Nothing is dropped from the embeddings while training: they need a dropout of their own.",
        False,
        "NOTHING",
        "AS_ASKED",
    ),
    "other_rate_in_blocks": (
        SLIP,
        "The blocks don't drop a share of rate: pass on the rate that the function is given.",
        True,
        "AS_ASKED",
        "OTHER_RATE_IN_BLOCKS",
    ),
    "embeddings_drop_alike": (
        SLIP,
        "In training, a feature is dropped from all words at once: the dropout belongs on the "
        "embeddings, and should choose for each word.",
        True,
        "ALIKE",
        "AS_ASKED",
    ),
    "dropout_after_the_pooling_only": (
        SLIP,
        "The dropout comes after the pooling: it belongs on the embeddings, where it chooses for "
        "each word.",
        True,
        "ALIKE",
        "ELSEWHERE",
    ),
    "dropout_after_the_pooling_too": (
        SLIP,
        "Features are dropped after the pooling as well: only the embeddings and the blocks drop.",
        True,
        "AFTER_POOLING",
        "ELSEWHERE",
    ),
    "dropout_before_the_pooling": (
        SLIP,
        "What goes into the pooling is dropped once more: only the embeddings and the blocks drop.",
        True,
        "OTHER_RATE",
        "ELSEWHERE",
    ),
    "dropout_between_blocks": (
        SLIP,
        "More is dropped than what the parts of a block give: nothing is dropped from their sums, "
        "nor between the blocks.",
        True,
        "AS_ASKED",
        "ELSEWHERE",
    ),
    "whole_words_dropped": (
        SLIP,
        "While training, all features of a word are dropped together: an ordinary dropout chooses "
        "each feature by itself.",
        True,
        "WHOLE_WORDS",
        "AS_ASKED",
    ),
    "one_minus_rate": (
        SLIP,
        "The dropout of the embeddings keeps a share of rate and drops the rest: rate is the share "
        "that's dropped.",
        True,
        "REVERSED",
        "AS_ASKED",
    ),
    "one_minus_rate_everywhere": (
        SLIP,
        "The embeddings and the blocks keep a share of rate and drop the rest: rate is the share "
        "that's dropped.",
        True,
        "REVERSED",
        "OTHER_RATE_IN_BLOCKS",
    ),
    "other_rate": (
        SLIP,
        "More or fewer of the embeddings' features are dropped than rate says: use the rate that "
        "the function is given.",
        True,
        "OTHER_RATE",
        "AS_ASKED",
    ),
    "other_rate_everywhere": (
        SLIP,
        "More or fewer features are dropped than rate says: use the rate that the function is "
        "given, for the embeddings and for the blocks.",
        True,
        "OTHER_RATE",
        "OTHER_RATE_IN_BLOCKS",
    ),
}
