# %% grade_id="find_emails"
import re
from string import ascii_letters, digits

NAME = f"[{ascii_letters}{digits}._%+\\-]"
LABEL = rf"[{ascii_letters}{digits}\-]"


def find_emails(text):
    return re.compile(rf"{NAME}+@(?:{LABEL}+\.)+[{ascii_letters}]{{2,}}").findall(text)


# %% grade_id="tokenize"
import string


def tokenize(text):
    tokens = []
    for line in text.lower().split("<br />"):
        for word in line.split():
            word = re.sub(rf"[{re.escape(string.punctuation)}]+", "", word)
            if word != "":
                tokens.append(word)
    return tokens


# %% grade_id="remove_stopwords"
import numpy as np


def remove_stopwords(tokens, stopwords):
    kept = []
    for token in tokens:
        if token in list(stopwords):
            continue
        kept.append(token)
    return np.array(kept, dtype=str)


# %% grade_id="stem"
from nltk.stem.porter import PorterStemmer as Stemmer


def stem(tokens):
    known = {}
    for token in tokens:
        if token not in known:
            known[token] = Stemmer().stem(token, to_lowercase=True)
    return [known[token] for token in tokens]


# %% grade_id="lemmatize"
from nltk.stem import WordNetLemmatizer


def lemmatize(tokens, pos):
    known = {token: WordNetLemmatizer().lemmatize(token, pos) for token in tokens}
    return list(map(known.get, tokens))


# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    return (np.array(words)[:, None] == np.array(vocabulary)[None, :]).astype(np.float32)


# %% grade_id="label_encode"
def label_encode(labels):
    return np.searchsorted(sorted(set(labels)), labels)


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = []
    for document in documents:
        for word in document:
            if word not in vocabulary:
                vocabulary.append(word)
    vocabulary.sort()
    rows = [sum(one_hot([word], vocabulary)[0] for word in document) for document in documents]
    return np.stack([row + np.zeros(len(vocabulary)) for row in rows]), tuple(vocabulary)


# %% grade_id="tf_idf"
from sklearn.feature_extraction.text import TfidfTransformer


def tf_idf(documents):
    return TfidfTransformer().fit_transform(bag_of_words(documents)[0]).toarray()
