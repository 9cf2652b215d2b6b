# ---
# expected:
#   find_emails:
#     fails:
#       - the part after the @ is complete
#     mistake: ending_cut_to_four
#   tokenize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#       - all other punctuation is removed too, and nothing else
#     mistake: short_tokens_dropped
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: short_words_removed
#   stem:
#     fails:
#       - derived words are stemmed
#       - every token has its stem, in order
#     mistake: short_words_dropped
#   lemmatize:
#     fails: everything
#     mistake: lemmas_in_one_text
#   one_hot:
#     fails:
#       - a word outside the vocabulary is a row of zeros
#     mistake: unknown_not_asked_for
#   label_encode:
#     fails:
#       - the numbers are an array of integers
#     mistake: none
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#       - short, hyphenated and capitalised tokens are counted unchanged
#     mistake: letters_only
#   tf_idf:
#     fails:
#       - each row has length 1
#       - repeated words get more weight
#       - a word in all documents keeps some weight
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: letters_only and one_norm_for_all
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"[\w.%+-]+@(?:[A-Za-z\d-]+\.)+[A-Za-z]{2,4}", text, re.ASCII)


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = text.lower().replace("<br />", " ")
    text = text.translate(str.maketrans("", "", string.punctuation))
    return [token for token in text.split() if len(token) > 1]


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    return [token for token in tokens if token not in stopwords and len(token) > 2]


# %% grade_id="stem"
from nltk.stem import PorterStemmer


def stem(tokens):
    return [PorterStemmer().stem(token) for token in tokens if len(token) > 2]


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return " ".join(lemmatizer.lemmatize(token, pos) for token in tokens)


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    columns = {word: column for column, word in enumerate(vocabulary)}
    vectors = np.zeros((len(words), len(vocabulary)))
    for row, word in enumerate(words):
        vectors[row, columns[word]] = 1
    return vectors


# %% grade_id="label_encode"
def label_encode(labels):
    return np.array([float(sorted(set(labels)).index(label)) for label in labels])


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    documents = [[word for word in document if word.isalpha()] for document in documents]
    vocabulary = sorted({word for document in documents for word in document})
    counts = [[document.count(word) for word in vocabulary] for document in documents]
    return np.array(counts), vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    counts, vocabulary = bag_of_words(documents)
    idf = np.log((1 + len(documents)) / (1 + (counts > 0).sum(axis=0))) + 1
    weights = counts * idf
    return weights / np.maximum(np.linalg.norm(weights), 1e-9)
