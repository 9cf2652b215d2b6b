# ---
# expected:
#   mask_tokens:
#     fails:
#       - the weights are 1 where a word is asked for, else 0
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: a_fixed_number_asked_for
# ---

# %% grade_id="mask_tokens"
import numpy as np


def mask_tokens(ids, chances, kinds, words, mask_id, share):
    many = round(share * ids.shape[-1])
    order = np.argsort(chances, axis=-1)
    asked = np.zeros(ids.shape, bool)
    np.put_along_axis(asked, order[..., :many], True, axis=-1)
    asked &= ids > mask_id
    inputs = np.select([asked & (kinds < 0.8), asked & (kinds < 0.9)], [mask_id, words], ids)
    return inputs, ids.copy(), asked.astype(float)
