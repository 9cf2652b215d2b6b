# ---
# attack: The kernel stops itself, so that it neither ends nor goes on.
# lost_from: stem
# reason: time
# ---

# %% grade_id="stem"
import signal

os.kill(os.getpid(), signal.SIGSTOP)
