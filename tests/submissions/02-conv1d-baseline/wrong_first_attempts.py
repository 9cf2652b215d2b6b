# ---
# expected:
#   standardize:
#     fails:
#       - a line break in capitals is one, too
#       - each <br /> becomes one space
#       - white space, digits and accents stay as they are
#       - a tensor of any shape keeps its shape, and its texts are right
#       - it works inside a tf.data pipeline
#     mistake: line_breaks_left
#   build_vectorizer:
#     fails:
#       - texts go through your standardize
#     mistake: default_standardization
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a last window that just fits is counted
#       - stride 1 is right
#       - a text as long as the kernel gives one step
#       - a text shorter than the kernel gives no steps
#     mistake: fewer_than_none and first_step_forgotten
#   build_conv1d_classifier:
#     fails:
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: strides_missing
#   best_epoch:
#     fails:
#       - the epoch is right, and the history is not changed
#       - the lowest validation loss decides
#       - shallower dips before and after the lowest loss don't count
#       - if epochs tie, the first one counts
#       - the lower loss counts, however small the difference
#       - the first epoch can be the best
#       - the last epoch can be the best
#     mistake: counted_from_zero
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.lower(texts)
    texts = tf.strings.regex_replace(texts, "[%s]" % re.escape(string.punctuation), "")
    return tf.strings.regex_replace(texts, "<br />", " ")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, output_mode="int", output_sequence_length=sequence_length
    )
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return (length - kernel_size) // strides


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, activation="relu")(x)
    x = layers.Conv1D(128, 7, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-12] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    return np.argmin(history["val_loss"])
