# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - text that breaks a rule isn't an address
#     mistake: another_pattern_of_the_web
#   tokenize:
#     fails:
#       - a <br /> separates words and is removed
#       - all other punctuation is removed too, and nothing else
#     mistake: br_cut_out_of_words
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: capitals_of_tokens_ignored
#   stem:
#     fails: everything
#     mistake: stemmed_twice
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - verb forms become infinitives
#     mistake: then_as_verbs
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#       - a word outside the vocabulary is a row of zeros
#     mistake: part_of_an_entry
#   label_encode:
#     fails:
#       - the numbers are an array of integers
#     mistake: none
#   bag_of_words:
#     fails:
#       - each column counts its own word
#       - short, hyphenated and capitalised tokens are counted unchanged
#     mistake: counted_inside_words
#   tf_idf:
#     fails:
#       - short, hyphenated and capitalised tokens are counted unchanged
#     mistake: capitals_lost
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"[a-zA-Z0-9_.+-]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+", text)


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = text.lower()
    for mark in string.punctuation:
        text = text.replace(mark, "")
    return text.replace("br", " ").split()


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    return [token for token in tokens if token.lower() not in stopwords]


# %% grade_id="stem"
from nltk.stem import PorterStemmer


def stem(tokens):
    porter = PorterStemmer()
    once = [porter.stem(token) for token in tokens]
    return [porter.stem(token) for token in once]


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    lemmas = [lemmatizer.lemmatize(token, pos) for token in tokens]
    return [lemmatizer.lemmatize(lemma, "v") for lemma in lemmas]


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    rows = np.zeros((len(words), len(vocabulary)))
    for i, word in enumerate(words):
        for j, entry in enumerate(vocabulary):
            if word in entry:
                rows[i, j] = 1
    return rows


# %% grade_id="label_encode"
def label_encode(labels):
    classes = sorted(set(labels))
    return [classes.index(label) for label in labels]


# %% grade_id="bag_of_words"
import numpy as np


def bag_of_words(documents):
    vocabulary = sorted({word for document in documents for word in document})
    texts = [" ".join(document) for document in documents]
    return np.array([[text.count(word) for word in vocabulary] for text in texts]), vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    documents = [[word.lower() for word in document] for document in documents]
    vocabulary = sorted({word for document in documents for word in document})
    tf = np.array([[document.count(word) for word in vocabulary] for document in documents])
    x = tf * (np.log((1 + len(documents)) / (1 + (tf > 0).sum(axis=0))) + 1)
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    return x / np.where(lengths == 0, 1, lengths)
