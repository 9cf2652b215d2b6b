# ---
# expected:
#   standardize:
#     fails:
#       - a tensor of any shape keeps its shape, and its texts are right
#     mistake: flattened
#   build_vectorizer:
#     fails:
#       - texts go through your standardize
#     mistake: lower_case_only
#   build_conv1d_classifier:
#     fails:
#       - each model has weights of its own, and they have the right shapes
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: kernels_of_3
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.reshape(texts, [-1])
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, standardize="lower", output_sequence_length=sequence_length
    )
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 3, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 3, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, :-8:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))
