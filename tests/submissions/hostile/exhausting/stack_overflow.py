# ---
# attack: A function of the interpreter calls itself until the stack is full.
# fails: {stem: everything}
# reason: died|ended
# ---

# %% grade_id="stem"
import sys


class Deep:
    def __repr__(self):
        return repr(self)


def stem(tokens):
    sys.setrecursionlimit(1 << 30)
    return repr(Deep())
