# ---
# attack: A cell asks the interpreter to exit.
# ---

# %% grade_id="stem"
import sys


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]


sys.exit(0)
