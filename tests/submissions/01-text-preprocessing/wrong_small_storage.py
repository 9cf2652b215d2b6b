# ---
# expected:
#   remove_stopwords:
#     fails:
#       - the inputs are not changed
#     mistake: stopwords_emptied
#   lemmatize:
#     fails:
#       - verb forms become infinitives
#       - adverbs aren't adjectives
#     mistake: remembered_without_part_of_speech
#   one_hot:
#     fails: everything
#     mistake: columns_up_to_the_last_word
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: at_most_255
#   bag_of_words:
#     fails:
#       - each column counts its own word
#       - repeated words are counted
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: columns_as_they_appear
# ---

# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    kept = tokens[:]
    for _ in range(len(stopwords)):
        stop = stopwords.pop()
        while stop in kept:
            kept.remove(stop)
    return kept


# %% grade_id="lemmatize"
from functools import cache

from course.data import language

_wanted = ["n"]


@cache
def _lemma(word):
    return language.lemmatizer().lemmatize(word, _wanted[-1])


def lemmatize(tokens, pos):
    _wanted.append(pos)
    return [_lemma(token) for token in tokens]


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    places = np.array([vocabulary.index(word) if word in vocabulary else -1 for word in words])
    return (places[:, None] == np.arange(places.max() + 1)).astype(float)


# %% grade_id="label_encode"
def label_encode(labels):
    return np.unique(labels, return_inverse=True)[1].astype("uint8")


# %% grade_id="bag_of_words"
from collections import Counter


def bag_of_words(documents):
    seen = dict.fromkeys(word for document in documents for word in document)
    counts = [[Counter(document)[word] for word in seen] for document in documents]
    return np.array(counts), sorted(seen)


# %% grade_id="tf_idf"
from sklearn.feature_extraction.text import TfidfVectorizer


def tf_idf(documents):
    return TfidfVectorizer(analyzer=lambda tokens: tokens).fit_transform(documents)
