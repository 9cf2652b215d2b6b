# ---
# attack: What runs when the kernel ends never ends itself.
# ---

# %% grade_id="stem"
import atexit
import signal
import threading
import time


def never():
    while True:
        try:
            time.sleep(1000)
        except BaseException:
            pass


atexit.register(never)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
threading.Thread(target=never).start()


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
