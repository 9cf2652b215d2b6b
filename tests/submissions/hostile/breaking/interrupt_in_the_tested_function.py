# ---
# attack: The tested function interrupts itself as a person would.
# points: {stem: 0}
# reason: KeyboardInterrupt
# ---

# %% grade_id="stem"
def stem(tokens):
    raise KeyboardInterrupt
