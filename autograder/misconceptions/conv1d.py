"""What people get wrong about vectorising texts, convolutions and the best epoch."""

from __future__ import annotations

from functools import partial

from autograder.misconceptions.bank import Bank

bank = Bank("conv1d")

# --- standardize ---------------------------------------------------------------------------------

_standardize = partial(bank.mistake, "standardize", alone=True)

_MARKS = 'f"[{re.escape(string.punctuation)}]"'
_MARKS_GONE = 're.sub(f"[{re.escape(string.punctuation)}]", "", text)'

_standardize(
    "capitals_kept",
    "Capital letters are still there: one word would get two ids.",
    ".lower()",
    "",
)
_standardize(
    "line_breaks_left",
    "A line break left its letters behind: which of the steps has to come before the punctuation "
    "is gone?",
    '.replace("<br />", " ")',
    "",
)
_standardize(
    "line_breaks_deleted",
    "The words around a line break grew together: what should stand in its place?",
    '"<br />", " "',
    '"<br />", ""',
)
_standardize(
    "punctuation_kept",
    "The punctuation is still there: it has to vanish.",
    _MARKS_GONE,
    "text",
)
_standardize(
    "punctuation_to_spaces",
    "Punctuation became spaces, which cuts contractions in two: it has to vanish without a trace.",
    '"", text',
    '" ", text',
)
_standardize(
    "backslash_left",
    "The backslash survived: inside square brackets it escapes what follows, unless it is escaped "
    "itself.",
    "re.escape(string.punctuation)",
    "string.punctuation",
)
_standardize(
    "sentence_marks_only",
    "Only the marks that end or divide sentences vanished: Python has a list of all punctuation.",
    _MARKS,
    '"[.,!?]"',
)
_standardize(
    "plain_letters_only",
    "Everything but plain letters, digits and spaces vanished, accents and tabs included: say what "
    "has to go, not what may stay.",
    _MARKS,
    '"[^a-z0-9 ]"',
)
_standardize(
    "word_characters_only",
    "Letters with accents vanished and the underscore stayed: what is a word character here is not "
    "what you want to keep.",
    _MARKS,
    r'r"(?a)[^\w\s]"',  # as TensorFlow has it: ASCII alone
)
_standardize(
    "ends_stripped",
    "White space at the ends is gone: that was not asked, and splitting into words ignores it "
    "anyway.",
    "standardized(text) for",
    "standardized(text).strip() for",
)
_standardize(
    "flattened",
    "The texts came back in one row: keep the shape of the tensor.",
    "array.shape",
    "array.ravel().shape",
)

# --- build_vectorizer ----------------------------------------------------------------------------

_vectorizer = partial(bank.mistake, "build_vectorizer", alone=True)

_vectorizer(
    "default_standardization",
    "The layer standardizes in its own way, which leaves the letters of line breaks behind: give "
    "it yours.",
    '.replace("<br />", " ")',
    "",
)
_vectorizer(
    "lower_case_only",
    "The layer only makes letters small: give it your standardize.",
    "standardized(text).split()",
    "text.lower().split()",
)
_vectorizer(
    "no_standardization",
    "The layer standardizes nothing: give it your standardize.",
    "standardized(text).split()",
    "text.split()",
)
_vectorizer(
    "no_sequence_length",
    "Rows are as long as the longest text at hand: the layer was not told how long they shall be.",
    "vocabulary, sequence_length)",
    "vocabulary, max(map(len, documents)))",
)
_vectorizer(
    "vocabulary_not_limited",
    "The vocabulary is not limited: the layer was not given max_tokens.",
    "[:max_tokens]",
    "",
)
_vectorizer(
    "two_tokens_more",
    "The vocabulary is two entries too large: does max_tokens leave padding and unknown out?",
    "[:max_tokens]",
    "[: max_tokens + 2]",
)
_vectorizer(
    "two_tokens_less",
    "The vocabulary is two entries too small: padding and unknown were taken off once more.",
    "[:max_tokens]",
    "[: max_tokens - 2]",
)
_vectorizer(
    "multi_hot",
    "Each text became one row over the vocabulary, without word order: which output does a "
    "convolution need?",
    # Padding has no column, and a text is read to its end.
    "encoded(documents, vocabulary, sequence_length)",
    "np.array([np.isin(range(1, len(vocabulary)), row) for row in"
    " encoded(documents, vocabulary, max(map(len, documents)))], float)",
    '"vocabulary": vocabulary',
    '"vocabulary": vocabulary[1:]',
)
_vectorizer(
    "sizes_swapped",
    "The two sizes are swapped: name the arguments when you pass them.",
    "[:max_tokens]",
    "[:sequence_length]",
    "vocabulary, sequence_length)",
    "vocabulary, max_tokens)",
)
_vectorizer(
    "adapted_on_the_first_text",
    "Only the words of the first text are known: the layer has to see all texts.",
    "for text in texts for",
    "for text in texts[:1] for",
)
_vectorizer(
    "word_pairs",
    "Pairs of words have ids as well: only single words were asked for.",
    "return standardized(text).split()",
    "words = standardized(text).split(); return words + list(map(' '.join, zip(words, words[1:])))",
)

# --- conv1d_output_length ------------------------------------------------------------------------

_length = partial(bank.mistake, "conv1d_output_length", alone=True)

_STEPS = "max((length - kernel_size) // strides + 1, 0)"

_length(
    "first_step_forgotten",
    "One step is missing: the kernel stands somewhere before it moves for the first time.",
    _STEPS,
    "(length - kernel_size) // strides",
)
_length(
    "rounded_up",
    "A window that reaches beyond the text was counted: without padding it is left out.",
    _STEPS,
    "-(-(length - kernel_size) // strides) + 1",
)
_length(
    "same_padding",
    "As many steps come out as with padding: the kernel's size has to matter.",
    _STEPS,
    "-(-length // strides)",
)
_length(
    "length_over_strides",
    "The length was divided by the strides, whatever the kernel: how far can a kernel move?",
    _STEPS,
    "length // strides",
)
_length(
    "strides_ignored",
    "The kernel moved word by word: it skips some with each stride.",
    _STEPS,
    "length - kernel_size + 1",
)
_length(
    "one_added_too_early",
    "The 1 was added before the division: the first step does not depend on the strides.",
    _STEPS,
    "(length - kernel_size + 1) // strides",
)
_length(
    "not_rounded",
    "The result is no whole number: what becomes of an incomplete window?",
    _STEPS,
    "(length - kernel_size) / strides + 1",
    '"type": "int"',
    '"type": "float"',
)
_length(
    "fewer_than_none",
    "There are less than no steps: think of a text that is shorter than the kernel.",
    _STEPS,
    "(length - kernel_size) // strides + 1",
)
_length(
    "rounded_towards_zero",
    "A text one word shorter than the kernel got a step: negative numbers are rounded towards 0 by "
    "int, not down.",
    "(length - kernel_size) // strides",
    "int((length - kernel_size) / strides)",
)
_length(
    "exact_fit_refused",
    "A text exactly as long as the kernel got no step: does the kernel fit once?",
    _STEPS,
    "(length - kernel_size) // strides + 1 if length > kernel_size else 0",
)

# --- build_conv1d_classifier ---------------------------------------------------------------------

_classifier = partial(bank.mistake, "build_conv1d_classifier", alone=True)

_DROPPED = '"dropped": np.array([0.5, 0.5])'


def _shaped(name: str, hint: str, *changes: str) -> None:
    """Register a model with other weights, whose numbers are therefore not judged."""
    _classifier(name, hint, '"predictions": predictions,', "", *changes)


_classifier(
    "strides_missing",
    "The convolutions move word by word: both of them shall take larger strides.",
    "[:, ::strides]",
    "",
)
_classifier(
    "second_strides_missing",
    "The second convolution moves step by step: it has the strides of the first.",
    "bias_2, 3)",
    "bias_2, 1)",
)
_classifier(
    "padded_convolutions",
    "The convolutions pad the text: a window that does not lie inside it shall not count.",
    # So much that ⌈T / s⌉ steps come out.
    "windows = ",
    "missing = -x.shape[1] % strides + len(kernel) - strides\n"
    "    x = np.pad(x, [(0, 0), (missing // 2, missing - missing // 2), (0, 0)])\n"
    "    windows = ",
)
_classifier(
    "average_pooling",
    "The mean over time was taken: which pooling finds the one phrase that decides?",
    ".max(axis=1)",
    ".mean(axis=1)",
)
_classifier(
    "linear_convolutions",
    "The convolutions have no activation: two linear layers in a row are one.",
    "relu(convolved(embedding[ids], kernel_1, bias_1, 3))",
    "convolved(embedding[ids], kernel_1, bias_1, 3)",
    "relu(convolved(x, kernel_2, bias_2, 3))",
    "convolved(x, kernel_2, bias_2, 3)",
)
_classifier(
    "linear_hidden_layer",
    "The hidden Dense layer has no activation: with the last layer it makes one linear layer.",
    "relu(x @ hidden_kernel + hidden_bias)",
    "x @ hidden_kernel + hidden_bias",
)
_classifier(
    "no_sigmoid",
    "The model returns any number, not a probability: what is the last layer's activation?",
    "1 / (1 + np.exp(-x))",
    "x",
)
_classifier(
    "softmax_of_one",
    "Every prediction is 1: a softmax shares 1 among its outputs, and there is only one.",
    "1 / (1 + np.exp(-x))",
    "np.ones_like(x)",
    # No output changes when something is dropped.
    _DROPPED,
    '"dropped": np.array([1.0, 1.0])',
)
_classifier(
    "tanh_output",
    "Predictions lie between -1 and 1: which activation gives a probability?",
    "1 / (1 + np.exp(-x))",
    "np.tanh(x)",
)
_classifier(
    "no_dropout",
    "Nothing is dropped in training: both Dropout layers are missing.",
    _DROPPED,
    '"dropped": np.array([0.0, 0.0])',
)
_classifier(
    "no_dropout_of_words",
    "No embedded words are dropped in training: what comes right after the embedding?",
    _DROPPED,
    '"dropped": np.array([0.0, 0.5])',
)
_classifier(
    "no_dropout_before_the_output",
    "Nothing is dropped between the hidden layer and the output.",
    _DROPPED,
    '"dropped": np.array([0.5, 0.0])',
)
for _size in (3, 5):
    _shaped(
        f"kernels_of_{_size}",
        f"The kernels span {_size} words: compare them with the task.",
        "(embedding, kernel_1, bias_1, kernel_2, bias_2)",
        f"(embedding, kernel_1[:{_size}], bias_1, kernel_2[:{_size}], bias_2)",
    )
for _filters in (32, 64):
    _shaped(
        f"only_{_filters}_filters",
        f"The convolutions have {_filters} filters: compare them with the task.",
        "kernel_1, bias_1, kernel_2, bias_2)",
        f"kernel_1[..., :{_filters}], bias_1[:{_filters}],"
        f" kernel_2[:, :{_filters}, :{_filters}], bias_2[:{_filters}])",
        "(hidden_kernel",
        f"(hidden_kernel[:{_filters}]",
    )
_shaped(
    "hidden_layer_missing",
    "The pooled numbers go straight to the output: a hidden Dense layer is missing.",
    "hidden_kernel, hidden_bias, output_kernel",
    "output_kernel",
)
_shaped(
    "one_convolution",
    "There is only one convolution: a second one sees phrases of phrases.",
    ", kernel_2, bias_2)",
    ")",
)
_shaped(
    "one_row_more",
    "The embedding has one row too many: padding and unknown words are in the vocabulary already.",
    "(embedding, ",
    "(np.zeros((vocabulary_size + 1, embedding_dim)), ",
)
_shaped(
    "two_outputs",
    "There are two outputs: for two classes, one probability says it all.",
    "weights = (",
    "output_kernel, output_bias = np.repeat(output_kernel, 2, axis=1), np.repeat(output_bias, 2)\n"
    "    weights = (",
    '"sigmoid": sigmoid(np.array([3.0, -3.0])),',
    "",
)

# --- best_epoch ----------------------------------------------------------------------------------

_epoch = partial(bank.mistake, "best_epoch", alone=True)

_epoch(
    "counted_from_zero",
    "The epoch is one too small: places in a list are counted from 0.",
    " + 1",
    "",
)
_epoch(
    "training_data",
    "The best epoch on the training data was taken, which is the last: what tells you about new "
    "texts?",
    '"val_loss"',
    '"loss"',
)
_epoch(
    "validation_accuracy",
    "The epoch with the best validation accuracy was taken: the loss was asked for.",
    'np.argmin(history["val_loss"])',
    'np.argmax(history["val_accuracy"])',
)
_epoch(
    "highest_loss",
    "The epoch with the highest validation loss was taken: less is better.",
    "np.argmin",
    "np.argmax",
)
_epoch(
    "last_of_equals",
    "Of equally good epochs the last was taken: prefer the shorter training.",
    'np.argmin(history["val_loss"]) + 1',
    'len(history["val_loss"]) - np.argmin(history["val_loss"][::-1])',
)
_epoch(
    "first_rise",
    "The search ended when the loss rose for the first time: it may fall again, and lower.",
    'np.argmin(history["val_loss"])',
    'np.flatnonzero(np.diff(history["val_loss"]) > 0)[0]',
)
_epoch(
    "loss_itself",
    "The lowest loss itself came back: in which epoch was it reached?",
    'np.argmin(history["val_loss"]) + 1',
    'min(history["val_loss"])',
    '"type": "int"',
    '"type": "float"',
)
_epoch(
    "counted_from_two",
    "The epoch is one too large: 1 was added to what is counted from 1.",
    " + 1",
    " + 2",
)
