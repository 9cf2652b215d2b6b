# ---
# attack: The tested function never returns.
# points: {stem: 0}
# reason: time
# ---

# %% grade_id="stem"
def stem(tokens):
    while True:
        pass
