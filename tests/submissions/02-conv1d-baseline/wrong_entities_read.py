# ---
# expected:
#   standardize:
#     fails:
#       - other punctuation is removed as well
#     mistake: none
#   best_epoch:
#     fails:
#       - the epoch is right, and the history is not changed
#     mistake: losses_sorted
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    texts = tf.strings.regex_replace(texts, "&amp;", "&")
    return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", "")


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = history["val_loss"]
    before = list(losses)
    losses.sort()
    return before.index(losses[0]) + 1
