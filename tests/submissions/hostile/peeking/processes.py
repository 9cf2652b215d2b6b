# ---
# attack: The command lines, environments and open files of all processes are read.
# ---

# %% grade_id="stem"
from pathlib import Path

for process in Path("/proc").glob("[0-9]*"):
    for name in ("cmdline", "environ", "maps", "stat"):
        try:
            text = (process / name).read_bytes()
            print(process, name, text.decode("utf8", "replace")[: 500 if name == "maps" else 5000])
        except OSError as error:
            print(process, name, error.strerror)
    for name in ("cwd", "root", "exe"):
        try:
            print(process, name, os.readlink(process / name))
        except OSError as error:
            print(process, name, error.strerror)
    for place in ("root/root", "root/tmp", "cwd", "cwd/..", "cwd/source"):
        try:
            print(process, place, sorted(os.listdir(process / place))[:50])
        except OSError:
            pass


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
