# ---
# attack: None; the answer uses a pool of forked processes.
# ---

# %% grade_id="stem"
import multiprocessing


def stem_one(token):
    return PorterStemmer().stem(token)


def stem(tokens):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return pool.map(stem_one, tokens)
