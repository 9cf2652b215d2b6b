# ---
# attack: Text is printed for ever.
# lost_from: stem
# reason: output
# ---

# %% grade_id="stem"
while True:
    print("x" * 1000)
