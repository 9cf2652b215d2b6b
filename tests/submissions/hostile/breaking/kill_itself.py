# ---
# attack: The tested function kills its process.
# lost_from: stem
# reason: died|ended
# ---

# %% grade_id="stem"
import signal


def stem(tokens):
    os.kill(os.getpid(), signal.SIGKILL)
