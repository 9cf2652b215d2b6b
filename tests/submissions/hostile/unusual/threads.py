# ---
# attack: None; the answer uses a pool of threads.
# ---

# %% grade_id="stem"
from concurrent.futures import ThreadPoolExecutor


def stem(tokens):
    stemmer = PorterStemmer()
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(stemmer.stem, tokens))
