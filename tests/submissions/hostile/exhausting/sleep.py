# ---
# attack: The cell sleeps, which takes no processor time at all.
# fails: {stem: everything}
# reason: time
# ---

# %% grade_id="stem"
import time


def stem(tokens):
    time.sleep(1_000_000)
