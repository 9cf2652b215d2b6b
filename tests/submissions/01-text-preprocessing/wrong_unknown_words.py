# ---
# expected:
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - adverbs aren't adjectives
#       - unknown words stay as they are
#     mistake: rest_stemmed
# ---

# %% grade_id="lemmatize"
from nltk.stem import PorterStemmer

from course.data import language


def lemmatize(tokens, pos):
    lemmas = [language.lemmatizer().lemmatize(token, pos) for token in tokens]
    stems = [PorterStemmer().stem(token) for token in tokens]
    return [s if lemma == t else lemma for t, lemma, s in zip(tokens, lemmas, stems, strict=True)]
