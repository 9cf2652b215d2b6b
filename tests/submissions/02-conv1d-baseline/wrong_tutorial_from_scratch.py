# ---
# expected:
#   build_conv1d_classifier:
#     fails:
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: plain_max_pooling
# ---

# %% grade_id="build_conv1d_classifier"
# A well-known example of two convolutions, with this course's sizes.
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input(shape=(None,), dtype="int64")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, padding="valid", activation="relu", strides=3)(x)
    x = layers.Conv1D(128, 7, padding="valid", activation="relu", strides=3)(x)
    x = layers.GlobalMaxPooling1D()(x)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    predictions = layers.Dense(1, activation="sigmoid", name="predictions")(x)
    return keras.Model(inputs, predictions)
