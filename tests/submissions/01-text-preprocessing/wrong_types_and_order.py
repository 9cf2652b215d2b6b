# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - capital letters are included
#       - every address counts, in the order of the text
#       - text that breaks a rule isn't an address
#     mistake: first_address_only and empty_labels
#   tokenize:
#     fails: everything
#     mistake: one_text
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#       - consecutive stop words are removed
#       - only whole tokens are stop words
#       - repeated tokens are treated alike
#       - the result may be empty
#     relation: wrong_type
#   stem:
#     fails: everything
#     relation: nothing_returned
#   lemmatize:
#     fails: everything
#     relation: exception
#   one_hot:
#     fails: everything
#     mistake: words_as_columns
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#       - a single class is number 0
#     mistake: from_one
#   bag_of_words:
#     fails: everything
#     mistake: none
#   tf_idf:
#     fails:
#       - repeated words get more weight
#     mistake: occurrences_for_documents
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    match = re.search(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}", text)
    return [match.group()] if match else []


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = text.lower().replace("<br />", " ")
    words = "".join(c for c in text if c not in string.punctuation)
    return " ".join(words.split())


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    return set(tokens) - stopwords


# %% grade_id="stem"
from nltk.stem import PorterStemmer


def stem(tokens):
    for token in tokens:
        PorterStemmer().stem(token)


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens):
    return [language.lemmatizer().lemmatize(token, "n") for token in tokens]


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    return np.array([[entry == word for word in words] for entry in vocabulary])


# %% grade_id="label_encode"
def label_encode(labels):
    classes = sorted(set(labels))
    return np.array([classes.index(label) + 1 for label in labels])


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = sorted({word for document in documents for word in document})
    counts = [[document.count(word) for word in vocabulary] for document in documents]
    return vocabulary, counts


# %% grade_id="tf_idf"
def tf_idf(documents):
    words, counts = bag_of_words(documents)
    counts = np.array(counts)
    weights = counts * (np.log((1 + len(documents)) / (1 + counts.sum(axis=0))) + 1)
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    return weights / np.maximum(lengths, 1e-12)
