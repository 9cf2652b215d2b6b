# ---
# expected:
#   standardize:
#     fails:
#       - each <br /> becomes one space
#       - white space, digits and accents stay as they are
#     mistake: first_line_break_only
#   build_vectorizer:
#     fails:
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: adapted_on_the_first_texts
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#     mistake: rounded_to_the_nearest
#   build_conv1d_classifier:
#     fails:
#       - half is dropped in training, each number on its own
#     mistake: spatial_dropout
#   best_epoch:
#     fails:
#       - shallower dips before and after the lowest loss don't count
#     mistake: patience
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.lower(texts)
    texts = tf.strings.regex_replace(texts, "<br />", " ", replace_global=False)
    return tf.strings.regex_replace(texts, "[%s]" % re.escape(string.punctuation), "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    vectorizer.adapt(texts[:1000])  # enough to know the frequent words
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    if length < kernel_size:
        return 0
    return round((length - kernel_size) / strides) + 1


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.SpatialDropout1D(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history, patience=3):
    best, waited = 0, 0
    losses = history["val_loss"]
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best, waited = epoch, 0
        elif epoch:
            waited += 1
            if waited == patience:
                break
    return best + 1
