# ---
# attack: Processes that hoard memory have lost their parents, so that nobody seems to own them.
# fails: {stem: everything}
# reason: memory|processes
# ---

# %% grade_id="stem"
import subprocess
import sys
import time

# Not by os.fork: a fork of a kernel, which has threads, hangs now and then.
hoard = "import time; hoard = b'x' * (60 << 20); time.sleep(1000)"
for _ in range(20):
    orphaned = ["sh", "-c", '"$0" -c "$1" &', sys.executable, hoard]
    subprocess.run(orphaned, start_new_session=True)
time.sleep(1000)
