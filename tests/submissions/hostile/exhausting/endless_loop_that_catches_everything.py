# ---
# attack: The loop goes on whatever exception is raised in it.
# fails: {stem: everything}
# reason: time
# ---

# %% grade_id="stem"
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
