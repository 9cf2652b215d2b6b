# ---
# attack: The tested function never returns.
# fails: {stem: everything}
# reason: time
# ---

# %% grade_id="stem"
def stem(tokens):
    while True:
        pass
