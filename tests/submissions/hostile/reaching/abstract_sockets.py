# ---
# attack: Sockets that have a name but no file are called, and their names are listed.
# ---

# %% grade_id="stem"
import socket

names = ["hostile-decoy"]
try:
    lines = open("/proc/net/unix").read().splitlines()[1:]
    print(lines[:200])
    names += [line.split()[7].removeprefix("@") for line in lines if "@" in line]
except OSError as error:
    print(error.strerror)
for name in names:
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        with socket.socket(socket.AF_UNIX, kind) as caller:
            caller.settimeout(0.5)
            try:
                caller.connect("\0" + name)
                print("connected", name, caller.recv(1000))
            except OSError as error:
                print(name, error)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
