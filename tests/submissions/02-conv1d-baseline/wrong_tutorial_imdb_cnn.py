# ---
# expected:
#   build_conv1d_classifier:
#     fails:
#       - each model has weights of its own, and they have the right shapes
#       - half is dropped in training, each number on its own
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
# ---

# %% grade_id="build_conv1d_classifier"
# A well-known older example: one convolution of width 3 with 250 filters.
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    model = keras.Sequential()
    model.add(layers.Embedding(vocabulary_size, embedding_dim))
    model.add(layers.Dropout(0.2))
    model.add(layers.Conv1D(250, 3, padding="valid", activation="relu", strides=1))
    model.add(layers.GlobalMaxPooling1D())
    model.add(layers.Dense(250))
    model.add(layers.Dropout(0.2))
    model.add(layers.Activation("relu"))
    model.add(layers.Dense(1))
    model.add(layers.Activation("sigmoid"))
    return model
