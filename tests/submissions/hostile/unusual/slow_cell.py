# ---
# attack: None; a cell computes for a while, and another one waits.
# ---

# %% grade_id="stem"
total = 0
for number in range(10_000_000):
    total += number


def stem(tokens):
    time.sleep(0.3)
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
