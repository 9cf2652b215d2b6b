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
# A well-known first example: no convolution at all, and a mean.
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    return keras.Sequential(
        [
            layers.Embedding(vocabulary_size, embedding_dim),
            layers.Dropout(0.2),
            layers.GlobalAveragePooling1D(),
            layers.Dropout(0.2),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
