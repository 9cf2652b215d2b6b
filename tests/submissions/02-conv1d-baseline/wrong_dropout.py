# ---
# expected:
#   standardize:
#     fails:
#       - other punctuation is removed as well
#       - white space, digits and accents stay as they are
#     mistake: word_characters_only
#   build_conv1d_classifier:
#     fails:
#       - half is dropped in training, each number on its own
#     mistake: dropout_of_windows
# ---

# %% grade_id="standardize"
def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, r"[^\w\s]", "")


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-24:9] != 0)
    x = layers.Dropout(0.5)(x)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))
