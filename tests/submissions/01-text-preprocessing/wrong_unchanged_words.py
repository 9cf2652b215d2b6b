# ---
# expected:
#   stem:
#     fails:
#       - plurals are stemmed
#       - derived words are stemmed
#       - every token has its stem, in order
#     mistake: stop_words_dropped
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - adverbs aren't adjectives
#       - unknown words stay as they are
#     mistake: unchanged_left_out
# ---

# %% grade_id="stem"
from nltk.stem import PorterStemmer

from course.data import language


def stem(tokens):
    return [PorterStemmer().stem(t) for t in tokens if t not in language.stopwords()]


# %% grade_id="lemmatize"
def lemmatize(tokens, pos):
    lemmas = {token: language.lemmatizer().lemmatize(token, pos) for token in tokens}
    return [lemmas[token] for token in tokens if lemmas[token] != token]
