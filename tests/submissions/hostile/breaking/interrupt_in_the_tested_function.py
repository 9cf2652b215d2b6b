# ---
# attack: The tested function interrupts itself as a person would.
# fails: {stem: everything}
# reason: KeyboardInterrupt
# ---

# %% grade_id="stem"
def stem(tokens):
    raise KeyboardInterrupt
