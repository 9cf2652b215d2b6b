# ---
# attack: Memory is only read, never written, so that nothing of it is used but its page tables.
# fails: {stem: everything}
# reason: memory
# ---

# %% grade_id="stem"
import mmap

kept = []
for _ in range(800):
    area = mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
    kept.append(area)
    area[:: 2 << 20]
print("reached".upper())
