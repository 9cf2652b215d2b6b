# ---
# expected:
#   standardize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#     mistake: none
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    texts = tf.strings.regex_replace(texts, "'s", "")
    return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", "")
