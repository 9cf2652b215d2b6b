# ---
# expected:
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a last window that just fits is counted
#       - stride 1 is right
#       - a text as long as the kernel gives one step
#       - a text shorter than the kernel gives no steps
#     mistake: numbers_of_the_lesson
#   build_conv1d_classifier:
#     fails:
#       - each model has weights of its own, and they have the right shapes
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: always_20000_rows
# ---

# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    kernel_size, strides = 7, 3
    return 1 + (length - kernel_size) // strides


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(20_000, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))
