# ---
# attack: None; a trial below the answer fails.
# ---

# %% grade_id="stem"
def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]


print(stem("ponies".split())[1])
