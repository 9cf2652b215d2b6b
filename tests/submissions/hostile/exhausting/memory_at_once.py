# ---
# attack: Two gigabytes are asked for, and touched, in one go.
# lost_from: stem
# reason: memory
# ---

# %% grade_id="stem"
def stem(tokens):
    hoard = np.ones(2 << 30, dtype=np.uint8)
    time.sleep(1000)
    return hoard
