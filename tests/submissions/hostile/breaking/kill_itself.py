# ---
# attack: The tested function kills its process.
# fails: {stem: everything}
# reason: died|ended
# ---

# %% grade_id="stem"
import signal


def stem(tokens):
    os.kill(os.getpid(), signal.SIGKILL)
