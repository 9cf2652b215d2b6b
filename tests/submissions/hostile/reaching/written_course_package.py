# ---
# attack: The course package and all that Python imports is opened for writing.
# ---

# %% grade_id="stem"
import sys
from pathlib import Path

import course

package = Path(course.__file__).parent
site = [Path(entry) for entry in sys.path if entry]
targets = [
    *package.rglob("*.py"),
    *package.rglob("*.json"),
    Path(sys.executable),
    Path(np.__file__),
]
for path in [*targets, *(path for folder in site for path in folder.glob("*.pth"))]:
    for change in (lambda: path.chmod(0o777), lambda: os.utime(path), lambda: open(path, "r+b")):
        try:
            change()
            print("reached".upper(), path)
        except OSError:
            pass
for folder in (package, package.parent, Path(sys.prefix), Path(sys.prefix) / "bin", *site):
    try:
        (folder / "hostile-was-here").write_text("hostile")
        print("reached".upper(), folder)
    except OSError as error:
        print(folder, error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
