# ---
# attack: Many processes hoard a little memory each, in sessions of their own.
# fails: {stem: everything}
# reason: memory|processes
# ---

# %% grade_id="stem"
import time

for _ in range(40):
    if os.fork() == 0:
        os.setsid()
        hoard = b"x" * (50 << 20)
        time.sleep(1000)
        os._exit(0)
time.sleep(1000)
