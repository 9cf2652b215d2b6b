# ---
# expected:
#   standardize:
#     fails:
#       - white space, digits and accents stay as they are
#     mistake: ends_stripped
#   build_vectorizer:
#     fails:
#       - the vocabulary is padding, unknown, then words by frequency
#       - words have their ids, padding is 0
#       - unknown words get id 1
#       - texts that are too long are truncated
#       - max_tokens limits the vocabulary, including padding and unknown
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: adapted_on_the_first_text
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a text shorter than the kernel gives no steps
#     mistake: rounded_up_and_none_below
#   build_conv1d_classifier:
#     fails:
#       - the last sum becomes a probability
#       - half is dropped in training, each number on its own
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: softmax_of_one
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.lower(texts)
    texts = tf.strings.regex_replace(texts, "<br />", " ")
    texts = tf.strings.regex_replace(texts, "[%s]" % re.escape(string.punctuation), "")
    return tf.strings.strip(texts)


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    dataset = tf.data.Dataset.from_tensor_slices(texts)
    vectorizer.adapt(dataset.take(1))
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return max(0, math.ceil((length - kernel_size) / strides) + 1)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="softmax")(x))
