# ---
# expected:
#   find_emails:
#     fails:
#       - the part before the @ is complete
#       - the part after the @ is complete
#     mistake: boundaries_on_both_sides
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: other_line_breaks_too
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: more_words_removed
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#       - short, hyphenated and capitalised tokens are counted unchanged
#     mistake: stop_words_lost
#   tf_idf:
#     fails:
#       - the words in a document have the right relative weights
#       - repeated words get more weight
#       - a word in all documents keeps some weight
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: one_added_to_the_quotient
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"\b[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}\b", text)


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = re.sub(r"<br\s*/?>", " ", text.lower())
    return text.translate(str.maketrans("", "", string.punctuation)).split()


# %% grade_id="remove_stopwords"
from course.data import language


def remove_stopwords(tokens, stopwords):
    every = language.stopwords().union(stopwords)
    return [token for token in tokens if token not in every]


# %% grade_id="bag_of_words"
import numpy as np


def bag_of_words(documents):
    stop = language.stopwords()
    vocabulary = sorted({word for document in documents for word in document if word not in stop})
    return np.array([[d.count(word) for word in vocabulary] for d in documents]), vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    vocabulary = sorted({word for document in documents for word in document})
    tf = np.array([[document.count(word) for word in vocabulary] for document in documents])
    weights = tf * np.log(1 + len(documents) / (tf > 0).sum(axis=0))
    return weights / np.maximum(np.linalg.norm(weights, axis=1, keepdims=True), 1e-12)
