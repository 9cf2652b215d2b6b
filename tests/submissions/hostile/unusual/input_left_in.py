# ---
# attack: None; a call of input() was left in, before the answer.
# fails: {stem: everything}
# reason: StdinNotImplementedError
# ---

# %% grade_id="stem"
name = input("Your name: ")


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
