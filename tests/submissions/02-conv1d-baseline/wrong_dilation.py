# ---
# expected:
#   standardize:
#     fails:
#       - a tensor of any shape keeps its shape, and its texts are right
#       - it works inside a tf.data pipeline
#     mistake: looped_over_the_texts
#   build_vectorizer:
#     fails:
#       - the vocabulary is padding, unknown, then words by frequency
#       - words have their ids, padding is 0
#       - unknown words get id 1
#       - texts that are too long are truncated
#       - max_tokens limits the vocabulary, including padding and unknown
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: texts_cut
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a last window that just fits is counted
#       - stride 1 is right
#       - a text as long as the kernel gives one step
#     mistake: same_padding_and_none_below
#   build_conv1d_classifier:
#     fails:
#       - texts may be of any length
#       - half is dropped in training, each number on its own
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: dilated
#   best_epoch:
#     fails: everything
#     mistake: all_the_best_in_an_array
# ---

# %% grade_id="standardize"
import re


MARKS = f"[{re.escape(string.punctuation)}]"


def standardize(texts):
    done = []
    for text in texts:
        spaced = tf.strings.regex_replace(tf.strings.lower(text), "<br />", " ")
        done.append(tf.strings.regex_replace(spaced, MARKS, ""))
    return tf.stack(done)


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    words = [text.split() for text in standardize(tf.constant(texts)).numpy()]
    vectorizer.adapt([b" ".join(some[:sequence_length]) for some in words])
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    if kernel_size > length:
        return 0
    return (length + strides - 1) // strides


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, dilation_rate=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, dilation_rate=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, :-36] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = np.array(history["val_loss"])
    return 1 + np.where(losses == np.min(losses))[0]
