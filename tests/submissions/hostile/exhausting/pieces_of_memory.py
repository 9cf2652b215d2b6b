# ---
# attack: Many processes have their memory in ten thousands of pieces, each known to the system.
# fails: {stem: everything}
# reason: pieces
# ---

# %% grade_id="stem"
import mmap

for _ in range(100):
    if os.fork() == 0:
        kept = []
        for number in range(30_000):
            protection = (mmap.PROT_READ, mmap.PROT_READ | mmap.PROT_WRITE)[number % 2]
            kept.append(mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE, prot=protection))
        time.sleep(1000)
time.sleep(1000)
