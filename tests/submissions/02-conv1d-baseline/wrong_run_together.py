# ---
# expected:
#   standardize:
#     fails:
#       - it works inside a tf.data pipeline
#     mistake: values_needed
#   build_vectorizer:
#     fails:
#       - the vocabulary is padding, unknown, then words by frequency
#       - words have their ids, padding is 0
#       - unknown words get id 1
#       - texts that are too long are truncated
#       - max_tokens limits the vocabulary, including padding and unknown
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: texts_glued_together
#   best_epoch:
#     fails:
#       - shallower dips before and after the lowest loss don't count
#     mistake: repeated_losses_removed
# ---

# %% grade_id="standardize"
def standardize(texts):
    def clean(text):
        text = text.decode().translate(
            str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
        )
        text = text.replace("<br />", " ")
        return "".join(character for character in text if character not in string.punctuation)

    values = texts.numpy()
    if isinstance(values, bytes):
        return tf.constant(clean(values))
    return tf.reshape(tf.constant([clean(text) for text in values.ravel()]), values.shape)


# %% grade_id="build_vectorizer"
import re


def build_vectorizer(texts, max_tokens, sequence_length):
    def standardize(texts):
        texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
        return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", "")

    layer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    texts = [text.decode() if isinstance(text, bytes) else text for text in texts]
    layer.adapt(["".join(texts)])
    return layer


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = []
    for loss in history["val_loss"]:
        if loss not in losses:
            losses.append(loss)
    return losses.index(min(losses)) + 1
