# ---
# attack: Processes that hoard memory have lost their parents, so that nobody seems to own them.
# lost_from: stem
# reason: memory|processes
# ---

# %% grade_id="stem"
import time

for _ in range(20):
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            hoard = b"x" * (60 << 20)
            time.sleep(1000)
        os._exit(0)
    os.wait()
time.sleep(1000)
