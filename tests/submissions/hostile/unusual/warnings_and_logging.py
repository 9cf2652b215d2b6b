# ---
# attack: None; the answer warns, logs, and writes to the error stream.
# quick: true
# ---

# %% grade_id="stem"
import logging
import sys
import warnings

logging.basicConfig(level=logging.DEBUG)


def stem(tokens):
    warnings.warn("an old way of stemming", DeprecationWarning)
    warnings.warn("rounded")
    logging.getLogger("mine").error("so many tokens: %d", len(tokens))
    print("looking at", tokens, file=sys.stderr)
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
