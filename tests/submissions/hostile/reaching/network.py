# ---
# attack: A server is called by TCP and by UDP, and a name is looked up.
# quick: true
# ---

# %% grade_id="stem"
import socket

for host in ("127.0.0.1", "::1", "localhost", "10.0.2.2", "169.254.169.254", "1.1.1.1"):
    for port in (47811, 80, 53):
        try:
            with socket.create_connection((host, port), timeout=0.2) as connection:
                print(host, port, connection.recv(1000))
        except OSError as error:
            print(host, port, error)
for host in ("127.0.0.1", "255.255.255.255"):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.settimeout(0.2)
        try:
            datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            datagrams.sendto(b"here", (host, 47811))
            print(datagrams.recv(1000))
        except OSError as error:
            print(host, error)
try:
    print("reached".upper(), socket.getaddrinfo("example.com", 80))
except OSError as error:
    print(error)
print(sorted(name for _, name in socket.if_nameindex()))
if [name for _, name in socket.if_nameindex() if name != "lo"]:
    print("reached".upper())


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
