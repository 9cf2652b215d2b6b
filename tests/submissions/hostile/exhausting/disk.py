# ---
# attack: A file grows until the disk is full.
# fails: {stem: everything}
# reason: No space left
# ---

# %% grade_id="stem"
with open("hoard", "wb") as file:
    while True:
        file.write(b"x" * (1 << 20))


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
