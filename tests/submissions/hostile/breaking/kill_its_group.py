# ---
# attack: All processes of the kernel's group are killed.
# fails: {stem: everything}
# reason: died|ended
# ---

# %% grade_id="stem"
import signal

os.killpg(0, signal.SIGKILL)
