# ---
# expected:
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a last window that just fits is counted
#       - stride 1 is right
#       - a text as long as the kernel gives one step
#       - a text shorter than the kernel gives no steps
#     mistake: numbers_of_the_lesson_and_none_below
#   build_conv1d_classifier:
#     fails:
#       - each model has weights of its own, and they have the right shapes
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: always_32_features
#   best_epoch:
#     fails:
#       - the lowest validation loss decides
#       - the epoch is right, and the history is not changed
#     mistake: last_column
# ---

# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    width, step = 7, 3
    return 0 if length < width else 1 + (length - width) // step


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim=32):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, output_dim=32)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    *_, losses = history.values()
    return losses.index(min(losses)) + 1
