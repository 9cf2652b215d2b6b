# ---
# attack: Memory is read that is not there.
# lost_from: stem
# reason: died|ended
# ---

# %% grade_id="stem"
import ctypes


def stem(tokens):
    return ctypes.string_at(0)
