# ---
# attack: Every process makes another one, for ever.
# fails: {stem: everything}
# reason: processes|memory|files open|time
# ---

# %% grade_id="stem"
while True:
    try:
        os.fork()
    except OSError:
        pass
