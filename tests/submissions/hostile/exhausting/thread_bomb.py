# ---
# attack: Threads are started until there can be no more.
# fails: {stem: everything}
# reason: processes|threads|memory
# ---

# %% grade_id="stem"
import threading
import time

while True:
    try:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    except RuntimeError:
        time.sleep(0.1)
