# ---
# attack: Files are made and opened for writing in the system's folders and in home folders.
# ---

# %% grade_id="stem"
from pathlib import Path

own = {Path.cwd(), Path(os.environ["HOME"]).resolve(), Path("/tmp"), Path("/dev/shm")}
folders = ["/", "/etc", "/usr", "/usr/bin", "/usr/local/bin", "/var", "/var/tmp", "/run", "/sys"]
folders += ["/root", "/home", "/opt", "/srv", "/mnt", "/dev", "/proc", "/proc/sys/kernel"]
for folder in map(Path, folders):
    if folder.resolve() in own:
        continue
    try:
        (folder / "hostile-was-here").write_text("hostile")
        print("reached".upper(), folder)
    except OSError as error:
        print(folder, error.strerror)
for path in ("/etc/passwd", "/etc/hosts", "/etc/ld.so.cache", "/forkserver.py", "/usr/bin/env"):
    try:
        with open(path, "r+b"):
            print("reached".upper(), path)
    except OSError as error:
        print(path, error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
