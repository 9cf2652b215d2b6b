# ---
# attack: Other processes do the computing, and the kernel waits for them.
# fails: {stem: everything}
# reason: time
# ---

# %% grade_id="stem"
def stem(tokens):
    for _ in range(2):
        if os.fork() == 0:
            while True:
                pass
    os.wait()
