# ---
# attack: A function calls itself for ever.
# points: {stem: 0}
# reason: RecursionError
# ---

# %% grade_id="stem"
def stem(tokens):
    return stem(tokens)
