# ---
# attack: What the environment says of the inputs is removed, so that grade() hands nothing over.
# lost_from: stem
# reason: Unjudged
# ---

# %% grade_id="stem"
del os.environ["COURSE_SECRET_INPUTS"]


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
