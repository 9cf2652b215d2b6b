# ---
# expected:
#   find_emails:
#     fails:
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - text that breaks a rule isn't an address
#     mistake: word_characters_everywhere
#   tokenize:
#     fails:
#       - a <br /> separates words and is removed
#     mistake: br_cut_off_words
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - verb forms become infinitives
#       - adverbs aren't adjectives
#     mistake: then_as_nouns
#   one_hot:
#     fails:
#       - the rows are numbers, not Booleans
#     mistake: booleans
#   tf_idf:
#     fails:
#       - an empty document is a row of zeros
#     mistake: empty_documents_dropped
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"[\w.%+-]+@(?:[\w-]+\.)+\w{2,}", text)


# %% grade_id="tokenize"
import string


def tokenize(text):
    bare = "".join(sign for sign in text.lower() if sign not in string.punctuation)
    return bare.replace("br ", " ").split()


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    lemmas = [lemmatizer.lemmatize(token, pos) for token in tokens]
    return [lemmatizer.lemmatize(lemma) for lemma in lemmas]


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    return np.array([[entry == word for entry in vocabulary] for word in words])


# %% grade_id="tf_idf"
def tf_idf(documents):
    documents = [document for document in documents if document]
    counts, _ = bag_of_words(documents)
    idf = np.log((1 + len(documents)) / (1 + (counts > 0).sum(axis=0))) + 1
    weights = counts * idf
    return weights / np.linalg.norm(weights, axis=1, keepdims=True)
