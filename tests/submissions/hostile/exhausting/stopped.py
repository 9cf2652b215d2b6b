# ---
# attack: The kernel stops itself, so that it neither ends nor goes on.
# fails: {stem: everything}
# reason: time
# ---

# %% grade_id="stem"
import signal

os.kill(os.getpid(), signal.SIGSTOP)
