# ---
# expected:
#   standardize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#     mistake: apostrophes_to_spaces
#   build_vectorizer:
#     fails:
#       - texts go through your standardize
#     mistake: split_at_each_space
#   best_epoch:
#     fails:
#       - the lowest validation loss decides
#     mistake: zero_for_none_yet
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />|'", " ")
    return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    layer = layers.TextVectorization(
        max_tokens=max_tokens,
        standardize=standardize,
        split=lambda text: tf.strings.split(text, sep=" "),
        output_sequence_length=sequence_length,
    )
    layer.adapt(texts)
    return layer


# %% grade_id="best_epoch"
def best_epoch(history):
    lowest, best = 0, 1
    for epoch, loss in enumerate(history["val_loss"], start=1):
        if lowest == 0 or loss < lowest:
            lowest, best = loss, epoch
    return best
