# ---
# expected:
#   find_emails:
#     fails:
#       - every address counts, in the order of the text
#     mistake: flag_as_position
#   tokenize:
#     fails:
#       - a <br /> separates words and is removed
#     mistake: two_line_breaks_only
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#       - consecutive stop words are removed
#       - only whole tokens are stop words
#       - repeated tokens are treated alike
#       - the result may be empty
#     mistake: compared_by_identity
#   stem:
#     fails:
#       - every token has its stem, in order
#     mistake: accents_lost
#   lemmatize:
#     fails:
#       - verb forms become infinitives
#       - adjectives return to the base form
#       - adverbs aren't adjectives
#     mistake: other_first_letters_refused
# ---

# %% grade_id="find_emails"
import re

ADDRESS = re.compile(r"[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}", re.IGNORECASE)


def find_emails(text):
    return ADDRESS.findall(text, re.IGNORECASE)


# %% grade_id="tokenize"
import re
import string


def tokenize(text):
    text = re.sub("<br />", " ", text.lower(), re.IGNORECASE)
    return text.translate({ord(mark): None for mark in string.punctuation}).split()


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    kept = []
    for token in tokens:
        for word in stopwords:
            if word is token:
                break
        else:
            kept.append(token)
    return kept


# %% grade_id="stem"
import unicodedata

from nltk.stem import PorterStemmer


def stem(tokens):
    def plain(token):
        letters = unicodedata.normalize("NFD", token)
        return "".join(letter for letter in letters if not unicodedata.combining(letter))

    return [PorterStemmer().stem(plain(token)) for token in tokens]


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    lemmas = []
    for token in tokens:
        lemma = lemmatizer.lemmatize(token, pos)
        lemmas.append(lemma if token.startswith(lemma[0]) else token)
    return lemmas
