# ---
# attack: Files are opened until there can be no more.
# lost_from: stem
# reason: Too many open files
# ---

# %% grade_id="stem"
def hoard():
    opened = []
    while True:
        opened.append(open("/dev/null"))


hoard()


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
