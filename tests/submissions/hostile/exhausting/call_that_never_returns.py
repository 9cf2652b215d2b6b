# ---
# attack: A function of the interpreter computes for ever and looks at no signal.
# fails: {stem: everything}
# reason: time
# ---

# %% grade_id="stem"
import itertools


def stem(tokens):
    return sum(itertools.repeat(0))
