# ---
# attack: A cell ends the process.
# quick: true
# lost_from: stem
# reason: died|ended
# ---

# %% grade_id="stem"
os._exit(0)
