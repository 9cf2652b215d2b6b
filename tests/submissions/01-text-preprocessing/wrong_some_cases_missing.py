# ---
# expected:
#   find_emails:
#     fails:
#       - capital letters are included
#       - every address counts, in the order of the text
#     mistake: flag_as_position_and_small_letters
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: remembered_between_calls
#   stem:
#     fails:
#       - every token has its stem, in order
#     mistake: no_tokens_fail
#   lemmatize:
#     fails:
#       - adjectives return to the base form
#       - adverbs aren't adjectives
#     mistake: nouns_and_verbs_only
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    pattern = re.compile(r"[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}")
    return [match[0] for match in pattern.finditer(text, re.IGNORECASE)]


# %% grade_id="remove_stopwords"
from functools import cache


def remove_stopwords(tokens, stopwords):
    global listed
    listed = stopwords
    return [token for token in tokens if not is_listed(token)]


@cache
def is_listed(token):
    return token in listed


# %% grade_id="stem"
import numpy as np
from nltk.stem import PorterStemmer


def stem(tokens):
    return np.vectorize(PorterStemmer().stem)(tokens).tolist()


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    if pos == "n" or pos == "v":
        lemmatizer = language.lemmatizer()
        return [lemmatizer.lemmatize(token, pos) for token in tokens]
    return tokens
