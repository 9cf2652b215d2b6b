# ---
# attack: None; a call of input() was left in, before the answer.
# points: {stem: 0}
# reason: NameError
# ---

# %% grade_id="stem"
name = input("Your name: ")


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
