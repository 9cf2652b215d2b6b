# ---
# expected:
#   stem:
#     fails:
#       - every token has its stem, in order
#     mistake: signs_stripped
# ---

# %% grade_id="stem"
def stem(tokens: list[str]) -> list[str]:
    stemmer = PorterStemmer()
    clean = [token.strip(string.punctuation) for token in tokens]
    stems = list(map(stemmer.stem, clean))
    return stems
