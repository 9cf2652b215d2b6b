# ---
# attack: An exception's message is as long as a library.
# fails: {stem: everything}
# reason: output|time
# ---

# %% grade_id="stem"
raise ValueError("x" * (60 << 20))
