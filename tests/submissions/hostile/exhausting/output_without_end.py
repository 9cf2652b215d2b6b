# ---
# attack: Text is printed for ever.
# fails: {stem: everything}
# reason: output
# ---

# %% grade_id="stem"
while True:
    print("x" * 1000)
