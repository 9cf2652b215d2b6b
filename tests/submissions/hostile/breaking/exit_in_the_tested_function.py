# ---
# attack: The tested function ends the process, which says that all went well.
# fails: {stem: everything}
# reason: died|ended
# ---

# %% grade_id="stem"
def stem(tokens):
    os._exit(0)
