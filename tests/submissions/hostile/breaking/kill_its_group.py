# ---
# attack: All processes of the kernel's group are killed.
# lost_from: stem
# reason: died|ended
# ---

# %% grade_id="stem"
import signal

os.killpg(0, signal.SIGKILL)
