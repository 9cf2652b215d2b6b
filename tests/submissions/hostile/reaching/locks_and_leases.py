# ---
# attack: Files that all kernels see are locked, leased and watched, to stop or to signal others.
# quick: true
# ---

# %% grade_id="stem"
import fcntl
import sys

F_SETLEASE, F_NOTIFY, DN_ACCESS = 1024, 1026, 1
for path in (sys.executable, os.__file__, os.path.dirname(os.__file__)):
    descriptor = os.open(path, os.O_RDONLY)
    for name, command, value in (
        ("lease to write", F_SETLEASE, fcntl.F_WRLCK),
        ("lease to read", F_SETLEASE, fcntl.F_RDLCK),
        ("news", F_NOTIFY, DN_ACCESS),
    ):
        try:
            fcntl.fcntl(descriptor, command, value)
            print("reached".upper(), name, path)
            fcntl.fcntl(descriptor, command, fcntl.F_UNLCK if command == F_SETLEASE else 0)
        except OSError as error:
            print(name, error.strerror)
    again = os.open(path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print("reached".upper(), "lock", path)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
