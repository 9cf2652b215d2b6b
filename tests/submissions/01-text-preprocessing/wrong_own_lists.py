# ---
# expected:
#   find_emails:
#     fails:
#       - the part before the @ is complete
#     mistake: at_most_64_before_the_at
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: list_of_ones_own
#   stem:
#     fails:
#       - every token has its stem, in order
#     mistake: only_letters_stemmed
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - irregular plurals become singulars
#       - verb forms become infinitives
#       - adverbs aren't adjectives
#       - unknown words stay as they are
#     mistake: stems_looked_up
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"[\w.%+-]{1,64}@(?:[a-z\d-]+\.)+[a-z]{2,}", text, re.ASCII | re.IGNORECASE)


# %% grade_id="remove_stopwords"
ENGLISH = set(
    "a against an and are as at be between but by during for from had has have he her his i in into is "
    "it its myself no nor not of on or she so that the their them then there these they this through "
    "to was we were what which who will with you your".split()
)


def remove_stopwords(tokens, stopwords):
    return [token for token in tokens if token not in ENGLISH]


# %% grade_id="stem"
from nltk.stem import PorterStemmer


def stem(tokens):
    porter = PorterStemmer()
    stems = list(tokens)
    for place, token in enumerate(tokens):
        if token.isalpha():
            stems[place] = porter.stem(token)
    return stems


# %% grade_id="lemmatize"
from nltk.stem import PorterStemmer

from course.data import language


def lemmatize(tokens, pos):
    stems = map(PorterStemmer().stem, tokens)
    return [language.lemmatizer().lemmatize(word, pos) for word in stems]
