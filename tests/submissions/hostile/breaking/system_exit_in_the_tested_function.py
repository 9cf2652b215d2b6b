# ---
# attack: The tested function asks the interpreter to exit.
# fails: {stem: everything}
# reason: SystemExit
# ---

# %% grade_id="stem"
import sys


def stem(tokens):
    sys.exit(0)
