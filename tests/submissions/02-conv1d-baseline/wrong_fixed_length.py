# ---
# expected:
#   standardize:
#     fails:
#       - white space, digits and accents stay as they are
#     mistake: plain_letters_only
#   build_vectorizer:
#     fails: everything
#     mistake: multi_hot
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a last window that just fits is counted
#       - stride 1 is right
#       - a text as long as the kernel gives one step
#       - a text shorter than the kernel gives no steps
#     mistake: same_padding
#   build_conv1d_classifier:
#     fails:
#       - predictions have the shape (batch, 1)
#       - texts may be of any length
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     relation: exception
#   best_epoch:
#     fails:
#       - if epochs tie, the first one counts
#     mistake: last_of_equals
# ---

# %% grade_id="standardize"
def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, "[^a-z0-9 ]", "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_mode="multi_hot"
    )
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return math.ceil(length / strides)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input(shape=(500,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    best, lowest = 0, float("inf")
    for epoch, loss in enumerate(history["val_loss"]):
        if loss <= lowest:
            best, lowest = epoch + 1, loss
    return best
