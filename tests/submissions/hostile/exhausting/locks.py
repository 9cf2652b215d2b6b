# ---
# attack: Every other byte of a file is locked, and the system remembers each lock.
# quick: true
# ---

# %% grade_id="stem"
import fcntl
import sqlite3

with open("locked", "wb") as file:
    for number in range(2000):
        fcntl.lockf(file, fcntl.LOCK_EX, 1, 2 * number)
    with open("/proc/locks") as locks:
        print("reached".upper() if len(locks.readlines()) > 1000 else "refused")
with sqlite3.connect("needs_locks.db") as database:
    database.execute("CREATE TABLE words (word)")
    database.execute("INSERT INTO words VALUES ('still works')")
os.remove("locked")
os.remove("needs_locks.db")


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
