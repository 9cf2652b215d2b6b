# ---
# attack: What was sent waits for somebody to accept its connection, and no file of it is open.
# fails: {stem: everything}
# reason: memory
# ---

# %% grade_id="stem"
import socket

server = socket.socket(socket.AF_UNIX)
server.bind("\0hoard")
server.listen(5000)
sent = 0
for _ in range(4000):
    with socket.socket(socket.AF_UNIX) as sender:
        sender.connect("\0hoard")
        sender.setblocking(False)
        try:
            while True:
                sent += sender.send(b"x" * 30_000)
        except BlockingIOError:
            pass
    time.sleep(0.001)
print("reached".upper(), sent)
