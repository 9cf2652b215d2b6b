# ---
# expected:
#   standardize:
#     fails:
#       - white space, digits and accents stay as they are
#     mistake: accented_capitals_changed
#   build_vectorizer:
#     fails:
#       - all texts count, however many
#     mistake: adapted_on_the_last_texts
#   conv1d_output_length:
#     fails:
#       - a text shorter than the kernel gives no steps
#     mistake: one_step_at_least
#   build_conv1d_classifier:
#     fails:
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: dropout_always
#   best_epoch:
#     fails:
#       - the lower loss counts, however small the difference
#     mistake: nearly_equal
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.lower(texts, encoding="utf-8")
    texts = tf.strings.regex_replace(texts, "<br />", " ")
    return tf.strings.regex_replace(texts, "[%s]" % re.escape(string.punctuation), "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    for batch in tf.data.Dataset.from_tensor_slices(texts).batch(32):
        vectorizer.adapt(batch)
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return max(1, (length - kernel_size) // strides + 1)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x, training=True)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x, training=True)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    best, lowest = 1, float("inf")
    for epoch, loss in enumerate(history["val_loss"], start=1):
        if loss < lowest - 0.001:  # an improvement
            best, lowest = epoch, loss
    return best
