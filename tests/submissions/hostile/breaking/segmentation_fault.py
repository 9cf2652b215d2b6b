# ---
# attack: Memory is read that is not there.
# fails: {stem: everything}
# reason: died|ended
# ---

# %% grade_id="stem"
import ctypes


def stem(tokens):
    return ctypes.string_at(0)
