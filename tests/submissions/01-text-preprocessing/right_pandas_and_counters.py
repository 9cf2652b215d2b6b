# %% grade_id="find_emails"
import re


def find_emails(text):
    pattern = r"""(?ix)
        [a-z0-9._%+-]+       # the name
        @
        (?: [a-z0-9-]+ \. )+ # labels
        [a-z]{2,}            # the last one
    """
    return [found[0] for found in re.finditer(pattern, text)]


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = text.lower()
    while "<br />" in text:
        text = text.replace("<br />", " ")
    for mark in string.punctuation:
        text = text.replace(mark, "")
    return text.split()


# %% grade_id="remove_stopwords"
import itertools


def remove_stopwords(tokens, stopwords):
    return tuple(itertools.filterfalse(stopwords.__contains__, tokens))


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    table = dict(zip(vocabulary, np.eye(len(vocabulary), dtype=int), strict=True))
    return np.stack([table.get(word, np.zeros(len(vocabulary), dtype=int)) for word in words])


# %% grade_id="label_encode"
def label_encode(labels):
    return np.fromiter((sorted({*labels}).index(label) for label in labels), dtype=np.int16)


# %% grade_id="bag_of_words"
from collections import Counter


def bag_of_words(documents):
    counters = [Counter(document) for document in documents]
    vocabulary = sorted(set().union(*counters))
    return np.array([[c[word] for word in vocabulary] for c in counters]), vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    counts, vocabulary = bag_of_words(documents)
    df = np.count_nonzero(counts, axis=0)
    idf = 1 + np.log1p(len(documents)) - np.log1p(df)
    weights = np.einsum("dw,w->dw", counts, idf).astype(np.float32)
    norms = np.sqrt(np.einsum("dw,dw->d", weights, weights))
    return np.nan_to_num(weights / np.where(norms > 0, norms, np.nan)[:, None])
