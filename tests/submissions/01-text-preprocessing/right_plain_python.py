# %% grade_id="find_emails"
import re


def find_emails(text):
    address = re.compile(r"[\w.%+-]+@([a-z\d-]+\.)+[a-z]{2,}", re.ASCII | re.IGNORECASE)
    return [match.group() for match in address.finditer(text)]


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = text.lower().replace("<br />", " ")
    text = text.translate(str.maketrans("", "", string.punctuation))
    return text.split()


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    return [token for token in tokens if token not in stopwords]


# %% grade_id="stem"
from nltk.stem import PorterStemmer


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return [lemmatizer.lemmatize(token, pos) for token in tokens]


# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    return [[1 if word == entry else 0 for entry in vocabulary] for word in words]


# %% grade_id="label_encode"
import numpy as np


def label_encode(labels):
    number = {label: i for i, label in enumerate(sorted(set(labels)))}
    return np.array([number[label] for label in labels])


# %% grade_id="bag_of_words"
from collections import Counter


def bag_of_words(documents):
    vocabulary = sorted(set(token for document in documents for token in document))
    counts = []
    for document in documents:
        counter = Counter(document)
        counts.append([counter[word] for word in vocabulary])
    return counts, vocabulary


# %% grade_id="tf_idf"
import math


def tf_idf(documents):
    counts, vocabulary = bag_of_words(documents)
    n = len(documents)
    rows = []
    for row in counts:
        weights = []
        for column, count in enumerate(row):
            df = sum(other[column] > 0 for other in counts)
            weights.append(count * (math.log((1 + n) / (1 + df)) + 1))
        length = math.sqrt(sum(weight**2 for weight in weights)) or 1
        rows.append([weight / length for weight in weights])
    return rows
