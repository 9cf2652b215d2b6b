# ---
# expected:
#   standardize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#       - other punctuation is removed as well
#       - a backslash is punctuation, too
#       - a tensor of any shape keeps its shape, and its texts are right
#       - it works inside a tf.data pipeline
#     mistake: punctuation_to_spaces
#   build_vectorizer:
#     fails:
#       - max_tokens limits the vocabulary, including padding and unknown
#     mistake: vocabulary_not_limited
#   conv1d_output_length:
#     fails:
#       - a text shorter than the kernel gives no steps
#     mistake: fewer_than_none
#   build_conv1d_classifier:
#     fails:
#       - the last sum becomes a probability
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: no_sigmoid
#   best_epoch:
#     fails:
#       - the epoch is right, and the history is not changed
#       - the lowest validation loss decides
#       - shallower dips before and after the lowest loss don't count
#       - if epochs tie, the first one counts
#       - the lower loss counts, however small the difference
#       - the first epoch can be the best
#       - the last epoch can be the best
#     mistake: highest_loss
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", " ")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        standardize=standardize, output_sequence_length=sequence_length
    )
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return int(np.floor((length - kernel_size) / strides)) + 1


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1)(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = history["val_loss"]
    return losses.index(max(losses)) + 1
