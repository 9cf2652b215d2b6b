# ---
# expected:
#   standardize:
#     fails:
#       - white space, digits and accents stay as they are
#     mistake: none
#   receptive_field:
#     fails:
#       - the number is right, and the lists are not changed
#     mistake: lists_reversed
#   best_epoch:
#     fails:
#       - the result is an int
#     mistake: a_float
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    texts = tf.strings.regex_replace(texts, "’", "'")
    return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", "")


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    kernel_sizes.reverse()
    strides.reverse()
    words = 1
    for kernel_size, stride in zip(kernel_sizes, strides, strict=True):
        words = (words - 1) * stride + kernel_size
    return words


# %% grade_id="best_epoch"
def best_epoch(history):
    return float(np.argmin(history["val_loss"]) + 1)
