# ---
# expected:
#   standardize:
#     fails:
#       - texts are in lower case
#       - a line break in capitals is one, too
#       - a tensor of any shape keeps its shape, and its texts are right
#       - it works inside a tf.data pipeline
#     mistake: capitals_kept
#   build_vectorizer:
#     fails:
#       - max_tokens limits the vocabulary, including padding and unknown
#       - texts go through your standardize
#     mistake: two_tokens_less
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a last window that just fits is counted
#       - stride 1 is right
#       - a text as long as the kernel gives one step
#       - a text shorter than the kernel gives no steps
#     mistake: length_over_strides
#   build_conv1d_classifier:
#     fails:
#       - texts may be of any length
#       - each model has weights of its own, and they have the right shapes
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     relation: exception
#   best_epoch:
#     fails:
#       - the epoch is right, and the history is not changed
#       - the lowest validation loss decides
#       - shallower dips before and after the lowest loss don't count
#       - if epochs tie, the first one counts
#       - the lower loss counts, however small the difference
#       - the first epoch can be the best
#       - the last epoch can be the best
#     mistake: counted_from_two
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    no_breaks = tf.strings.regex_replace(texts, "<br />", " ")
    punctuation = "[" + re.escape(string.punctuation) + "]"
    return tf.strings.regex_replace(no_breaks, punctuation, "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        standardize=standardize,
        max_tokens=max_tokens - 2,  # 0 is padding, 1 is unknown
        output_mode="int",
        output_sequence_length=sequence_length,
    )
    vectorizer.adapt(np.array(texts))
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return length // strides


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    model = tf.keras.Sequential()
    model.add(layers.Embedding(vocabulary_size, embedding_dim))
    model.add(layers.Dropout(0.5))
    model.add(layers.Conv1D(filters=128, kernel_size=7, strides=3, activation="relu"))
    model.add(layers.Conv1D(filters=128, kernel_size=7, strides=3, activation="relu"))
    model.add(layers.Flatten())
    model.add(layers.Dense(128, activation="relu"))
    model.add(layers.Dropout(0.5))
    model.add(layers.Dense(1, activation="sigmoid"))
    return model


# %% grade_id="best_epoch"
def best_epoch(history):
    best = min(enumerate(history["val_loss"], start=1), key=lambda pair: pair[1])
    return best[0] + 1
