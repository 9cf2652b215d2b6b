# ---
# attack: Memory is asked for and touched until there is none.
# fails: {stem: everything}
# reason: memory
# ---

# %% grade_id="stem"
hoard = []
while True:
    hoard.append(b"x" * (20 << 20))
