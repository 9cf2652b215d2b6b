# ---
# expected:
#   lemmatize:
#     fails: everything
#     mistake: arguments_exchanged
# ---

# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return [lemmatizer.lemmatize(pos, token) for token in tokens]
