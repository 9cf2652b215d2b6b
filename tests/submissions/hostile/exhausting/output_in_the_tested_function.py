# ---
# attack: The tested function prints to the error stream for ever.
# fails: {stem: everything}
# reason: output
# ---

# %% grade_id="stem"
import sys


def stem(tokens):
    while True:
        print("x" * 1000, file=sys.stderr)
