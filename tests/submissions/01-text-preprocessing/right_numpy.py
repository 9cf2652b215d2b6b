# %% grade_id="find_emails"
import re

ADDRESS = re.compile(r"[a-z0-9._%+\-]+@(?:[a-z0-9\-]+\.)+[a-z]{2,}", re.IGNORECASE)


def find_emails(text):
    return [match.group(0) for match in ADDRESS.finditer(text)]


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = re.sub("<br />", " ", text.lower())
    text = re.sub("[" + re.escape(string.punctuation) + "]", "", text)
    return re.findall(r"\S+", text)


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    return list(filter(lambda token: token not in stopwords, tokens))


# %% grade_id="stem"
import nltk


def stem(tokens):
    porter = nltk.PorterStemmer(mode=nltk.PorterStemmer.NLTK_EXTENSIONS)
    return tuple(map(porter.stem, tokens))


# %% grade_id="lemmatize"
from nltk.stem import WordNetLemmatizer


def lemmatize(tokens, pos):
    wnl = WordNetLemmatizer()
    return [wnl.lemmatize(word, pos=pos) for word in tokens]


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    vectors = np.zeros((len(words), len(vocabulary)))
    for row, word in enumerate(words):
        if word in vocabulary:
            vectors[row, vocabulary.index(word)] = 1
    return vectors


# %% grade_id="label_encode"
def label_encode(labels):
    return np.unique(labels, return_inverse=True)[1]


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = np.unique(np.concatenate([document for document in documents if document]))
    column = {word: i for i, word in enumerate(vocabulary)}
    counts = np.zeros((len(documents), len(vocabulary)), dtype=int)
    for row, document in enumerate(documents):
        for word in document:
            counts[row, column[word]] += 1
    return counts, vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    counts, _ = bag_of_words(documents)
    df = (counts > 0).sum(axis=0)
    idf = np.log((1 + len(documents)) / (1 + df)) + 1
    weights = counts * idf
    norms = np.linalg.norm(weights, axis=1, keepdims=True)
    return np.divide(weights, norms, out=np.zeros_like(weights), where=norms > 0)
