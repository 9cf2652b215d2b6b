# ---
# attack: A cell ends the process.
# quick: true
# fails: {stem: everything}
# reason: died|ended
# ---

# %% grade_id="stem"
os._exit(0)
