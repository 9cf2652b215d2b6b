# ---
# expected:
#   standardize:
#     fails:
#       - it works inside a tf.data pipeline
#     mistake: values_needed
#   build_vectorizer:
#     fails:
#       - all texts count, however many
#     mistake: adapted_on_the_last_of_large_parts
#   best_epoch:
#     fails:
#       - the lowest validation loss decides
#     mistake: another_column_needed
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    flat = tf.reshape(tf.strings.lower(texts), [-1])
    flat = tf.strings.regex_replace(flat, "<br />", " ")
    flat = tf.strings.regex_replace(flat, f"[{re.escape(string.punctuation)}]", "")
    return tf.reshape(flat, texts.shape)


# %% grade_id="build_vectorizer"
import re


def build_vectorizer(texts, max_tokens, sequence_length):
    def standardize(texts):
        texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
        return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", "")

    layer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    for start in range(0, len(texts), 500):
        layer.adapt(texts[start : start + 500])
    return layer


# %% grade_id="best_epoch"
def best_epoch(history):
    rows = list(zip(history["val_loss"], history["loss"]))
    best = min(range(len(rows)), key=lambda i: rows[i][0])
    return best + 1
