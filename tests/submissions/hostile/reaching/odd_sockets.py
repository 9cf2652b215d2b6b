# ---
# attack: Sockets of families that need no network are opened, to the machine and its kernel.
# ---

# %% grade_id="stem"
import socket

for family in range(3, 46):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        for protocol in (0, 3):
            try:
                with socket.socket(family, kind, protocol):
                    if family not in (socket.AF_INET6, socket.AF_NETLINK):
                        print("reached".upper(), family, kind)
            except OSError as error:
                pass
for protocol in (1, 6, 255):
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_RAW, protocol):
            print("reached".upper(), "raw", protocol)
    except OSError as error:
        print(error)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
