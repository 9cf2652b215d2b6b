# ---
# attack: The tested function asks the interpreter to exit.
# points: {stem: 0}
# reason: SystemExit
# ---

# %% grade_id="stem"
import sys


def stem(tokens):
    sys.exit(0)
