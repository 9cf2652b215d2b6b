# ---
# attack: Two gigabytes are asked for, and touched, in one go.
# fails: {stem: everything}
# reason: memory
# ---

# %% grade_id="stem"
def stem(tokens):
    hoard = np.ones(2 << 30, dtype=np.uint8)
    time.sleep(1000)
    return hoard
