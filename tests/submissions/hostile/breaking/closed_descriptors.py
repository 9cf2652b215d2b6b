# ---
# attack: Everything that the process has open is closed.
# fails: {stem: everything}
# reason: died|ended|time
# ---

# %% grade_id="stem"
os.closerange(0, 1024)
