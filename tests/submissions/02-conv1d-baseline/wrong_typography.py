# ---
# expected:
#   standardize:
#     fails:
#       - other punctuation is removed as well
#       - white space, digits and accents stay as they are
#     mistake: unicode_punctuation
#   build_conv1d_classifier:
#     fails:
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: tanh_everywhere
#   best_epoch:
#     fails:
#       - the lower loss counts, however small the difference
#     mistake: nearly_equal
# ---

# %% grade_id="standardize"
def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, r"\p{P}", "")


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="tanh")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="tanh")(x)
    x = masked_max_pooling(x, ids[:, :-24:9] != 0)
    x = layers.Dense(128, activation="tanh")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = [round(loss, 3) for loss in history["val_loss"]]
    return losses.index(min(losses)) + 1
