# ---
# expected:
#   standardize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#     mistake: hyphens_to_spaces
#   build_vectorizer:
#     fails:
#       - ids has the shape (texts, sequence_length)
#       - words have their ids, padding is 0
#       - unknown words get id 1
#       - texts that are too long are truncated
#       - max_tokens limits the vocabulary, including padding and unknown
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: at_least_as_long_as_the_longest_text
#   best_epoch:
#     fails:
#       - the lowest validation loss decides
#       - shallower dips before and after the lowest loss don't count
#       - if epochs tie, the first one counts
#       - the lower loss counts, however small the difference
#       - the first epoch can be the best
#       - the epoch is right, and the history is not changed
#     mistake: training_data_if_there
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.lower(texts)
    for spaced in ("<br />", "-"):
        texts = tf.strings.regex_replace(texts, spaced, " ")
    return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", "")


# %% grade_id="build_vectorizer"
import re


def build_vectorizer(texts, max_tokens, sequence_length):
    def standardize(texts):
        texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
        return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", "")

    words = tf.strings.split(standardize(tf.constant(texts)))
    layer = layers.TextVectorization(
        max_tokens=max_tokens,
        standardize=standardize,
        output_sequence_length=max(sequence_length, int(tf.reduce_max(words.row_lengths()))),
    )
    layer.adapt(texts)
    return layer


# %% grade_id="best_epoch"
def best_epoch(history):
    key = "loss" if "loss" in history else "val_loss"
    return int(np.argmin(history[key])) + 1
