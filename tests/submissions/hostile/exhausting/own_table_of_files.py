# ---
# attack: A thread asks for a table of open files of its own, and a process passes files on. In
#   neither would anybody count them.
# quick: true
# ---

# %% grade_id="stem"
import ctypes
import socket
import threading

UNSHARE, CLONE_FILES, CLONE_THREAD = 2, 0x400, 0x10B00
system = ctypes.CDLL(None, use_errno=True)
clone, close_range = (56, 436) if os.uname().machine == "x86_64" else (220, 436)


def ask():
    if system.syscall(close_range, 1000, 1023, UNSHARE) == 0:
        print("reached".upper(), "close_range")
    if system.unshare(CLONE_FILES) == 0:
        print("reached".upper(), "unshare")
    system.syscall(clone, CLONE_THREAD, 0, 0, 0, 0)
    if ctypes.get_errno() != 1:  # the filter speaks first, else the flags do not fit
        print("reached".upper(), "clone", ctypes.get_errno())


thread = threading.Thread(target=ask)
thread.start()
thread.join()
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    here, there = socket.socketpair(socket.AF_UNIX, kind)
    try:
        socket.send_fds(here, [b"x"], [0])
        print("reached".upper(), "sendmsg")
    except OSError as error:
        print(error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
