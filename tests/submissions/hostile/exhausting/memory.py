# ---
# attack: Memory is asked for and touched until there is none.
# lost_from: stem
# reason: memory
# ---

# %% grade_id="stem"
hoard = []
while True:
    hoard.append(b"x" * (20 << 20))
