# ---
# attack: A process whose first thread has ended, after which it is named, hoards memory.
# fails: {stem: everything}
# reason: memory
# ---

# %% grade_id="stem"
import ctypes
import threading
import time


def hoard():
    kept = []
    while True:
        kept.append(b"x" * (20 << 20))
        time.sleep(0.05)


if os.fork() == 0:
    threading.Thread(target=hoard).start()
    ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)
time.sleep(30)
print("reached".upper())
