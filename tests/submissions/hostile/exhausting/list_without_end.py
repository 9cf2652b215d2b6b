# ---
# attack: The returned list says that it has one entry, and has one after the other for ever.
# fails: {stem: everything}
# reason: memory|time
# ---

# %% grade_id="stem"
import itertools


class Endless(list):
    def __len__(self):
        return 1

    def __iter__(self):
        return itertools.repeat("x" * 1000)


def stem(tokens):
    return Endless(["x"])
