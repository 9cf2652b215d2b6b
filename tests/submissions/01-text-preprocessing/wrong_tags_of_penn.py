# ---
# expected:
#   lemmatize:
#     fails:
#       - adjectives return to the base form
#       - adverbs aren't adjectives
#       - verb forms become infinitives
#     mistake: all_as_nouns
# ---

# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    kinds = {"N": "n", "V": "v", "J": "a", "R": "r"}
    lemmas = []
    for token in tokens:
        lemmas.append(lemmatizer.lemmatize(token, kinds.get(pos, "n")))
    return lemmas
