# ---
# expected:
#   standardize:
#     fails:
#       - a line break in capitals is one, too
#     mistake: line_breaks_before_lower_case
#   build_vectorizer:
#     fails:
#       - texts go through your standardize
#     mistake: only_the_vocabulary_standardized
#   conv1d_output_length:
#     fails:
#       - a last window that just fits is counted
#       - stride 1 is right
#       - a text as long as the kernel gives one step
#     mistake: moves_of_the_start
#   build_conv1d_classifier:
#     fails:
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: tanh_convolutions
#   best_epoch:
#     fails:
#       - if epochs tie, the first one counts
#     mistake: last_of_equals
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.regex_replace(texts, "<br />", " ")
    texts = tf.strings.lower(texts)
    return tf.strings.regex_replace(texts, "[%s]" % re.escape(string.punctuation), "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=None, output_sequence_length=sequence_length
    )
    vectorizer.adapt(standardize(tf.constant(texts)))
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return len(range(0, length - kernel_size, strides))


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="tanh")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="tanh")(x)
    x = masked_max_pooling(x, ids[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    return np.argsort(history["val_loss"])[0] + 1
