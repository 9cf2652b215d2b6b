# ---
# expected:
#   standardize:
#     fails:
#       - each <br /> becomes one space
#     mistake: br_and_space_replaced_later
#   build_vectorizer:
#     fails:
#       - all texts count, however many
#     mistake: equal_texts_once
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a last window that just fits is counted
#       - stride 1 is right
#       - a text shorter than the kernel gives no steps
#     mistake: kernel_and_strides_swapped_and_none_below
#   build_conv1d_classifier:
#     fails:
#       - half is dropped in training, each number on its own
#     mistake: dropout_before_the_hidden_layer
#   best_epoch:
#     fails:
#       - the last epoch can be the best
#     mistake: start_too_low
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.lower(texts)
    texts = tf.strings.regex_replace(texts, "[%s]" % re.escape(string.punctuation), "")
    return tf.strings.regex_replace(texts, "br ", " ")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    vectorizer.adapt(sorted(set(texts)))
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, strides, kernel_size):
    return max((length - kernel_size) // strides + 1, 0)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-24:9] != 0)
    x = layers.Dropout(0.5)(x)
    x = layers.Dense(128, activation="relu")(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    best, lowest = 0, 1.0
    for epoch, loss in enumerate(history["val_loss"], start=1):
        if loss < lowest:
            best, lowest = epoch, loss
    return best
