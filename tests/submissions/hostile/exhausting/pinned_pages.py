# ---
# attack: Pages of files are kept in pipes and sockets after their files are gone.
# quick: true
# ---

# %% grade_id="stem"
import fcntl
import socket

with open("hoard", "wb") as file:
    file.write(b"x" * (1 << 20))
with open("hoard", "rb") as file:
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    for name, call in {
        "sendfile": lambda: os.sendfile(ours.fileno(), file.fileno(), 0, 1),
        "splice": lambda: os.splice(file.fileno(), writing, 1, offset_src=0),
        "pipe": lambda: fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 1 << 20),
    }.items():
        try:
            print("reached".upper(), name, call())
        except OSError as error:
            print(name, error.strerror)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
    ours.setblocking(False)
    sent = 0
    try:
        while True:
            sent += ours.send(b"x" * (1 << 16))
    except BlockingIOError:
        print("reached".upper() if sent > 1 << 20 else "refused", "buffers", sent)
os.remove("hoard")


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
