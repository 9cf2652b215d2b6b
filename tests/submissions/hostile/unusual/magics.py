# ---
# attack: None; the cell uses magics and a shell's commands.
# ---

# %% grade_id="stem"
# %timeit -n 1 -r 1 PorterStemmer().stem("ponies")
# %matplotlib inline
# %time 1 + 1
# !echo "from the shell"
# found = !ls


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
