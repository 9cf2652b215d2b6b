# ---
# attack: A function calls itself for ever.
# fails: {stem: everything}
# reason: RecursionError
# ---

# %% grade_id="stem"
def stem(tokens):
    return stem(tokens)
