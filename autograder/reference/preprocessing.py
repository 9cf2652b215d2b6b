"""Text preprocessing in plain Python: regular expressions, counting, TF-IDF.

A document is a list of tokens; N is the number of documents, df(t) the number of those that hold
the token t.
"""

from __future__ import annotations

import re
import string
from collections import Counter

import numpy as np

from course import language


def find_emails(text: str) -> dict[str, list[str]]:
    """All e-mail addresses of a text, in its order: letters, digits and ._%+- before the @, labels
    joined by dots after it, the last of letters.

    Returns:
        addresses.

    Example:
        >>> find_emails("Ask ann@x.org, or (bob@mail.y.com).")["addresses"]
        ['ann@x.org', 'bob@mail.y.com']
    """
    pattern = r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}"
    return {"addresses": re.findall(pattern, text)}


def tokenize(text: str) -> dict[str, list[str]]:
    """Lower-case words without punctuation; ``<br />`` separates as white space does.

    Returns:
        tokens.

    Example:
        >>> tokenize("I don't!<br />You do.")["tokens"]
        ['i', 'dont', 'you', 'do']
    """
    words = text.lower().replace("<br />", " ")
    bare = words.translate(str.maketrans("", "", string.punctuation))
    return {"tokens": bare.split()}


def remove_stopwords(tokens: list[str], stopwords: set[str]) -> dict[str, list[str]]:
    """The tokens that are no stop words.

    Returns:
        kept; tokens and stopwords (sorted), as they are afterwards.

    Example:
        >>> remove_stopwords(["the", "cat", "the"], {"the"})["kept"]
        ['cat']
    """
    kept = [token for token in tokens if token not in stopwords]
    return {"kept": kept, "tokens": list(tokens), "stopwords": sorted(stopwords)}


def stem(tokens: list[str]) -> dict[str, list[str]]:
    """Each token's stem, by M. F. Porter, "An algorithm for suffix stripping" (1980).

    Returns:
        stems.

    Example:
        >>> stem(["ponies", "walked"])["stems"]
        ['poni', 'walk']
    """
    from nltk.stem import PorterStemmer  # takes a second, which other exercises need not wait for

    stemmer = PorterStemmer()
    stems = [stemmer.stem(token) for token in tokens]
    return {"stems": stems}


def lemmatize(tokens: list[str], pos: str) -> dict[str, list[str]]:
    """Each token's lemma in WordNet.

    Args:
        tokens: words.
        pos: the part of speech of all: "n", "v", "a" or "r".

    Returns:
        lemmas.

    Example:
        >>> lemmatize(["mice", "cities"], "n")["lemmas"]
        ['mouse', 'city']
    """
    lemmatizer = language.lemmatizer()
    lemmas = [lemmatizer.lemmatize(token, pos) for token in tokens]
    return {"lemmas": lemmas}


def one_hot(words: list[str], vocabulary: list[str]) -> dict[str, np.ndarray]:
    """A 1 in the column of each row's word.

    Returns:
        vectors: (words, vocabulary).

    Example:
        >>> one_hot(["b", "x"], ["b", "a"])["vectors"].tolist()
        [[1.0, 0.0], [0.0, 0.0]]
    """
    vectors = np.array([[float(word == entry) for entry in vocabulary] for word in words])
    return {"vectors": vectors}


def label_encode(labels: list[str]) -> dict[str, np.ndarray]:
    """Each label's place in the alphabetical order of the classes.

    Returns:
        numbers: (labels,).

    Example:
        >>> label_encode(["sport", "arts", "sport"])["numbers"].tolist()
        [1.0, 0.0, 1.0]
    """
    classes = sorted(set(labels))
    numbers = np.array([classes.index(label) for label in labels], np.float64)
    return {"numbers": numbers}


def vocabulary_of(documents: list[list[str]]) -> list[str]:
    """All tokens of the documents, each once, sorted."""
    return sorted({token for document in documents for token in document})


def bag_of_words(documents: list[list[str]]) -> dict[str, np.ndarray | list[str]]:
    """How often each token is in each document.

    Returns:
        counts: (documents, vocabulary); vocabulary: sorted.

    Example:
        >>> bag_of_words([["b", "a", "b"], []])["counts"].tolist()
        [[1.0, 2.0], [0.0, 0.0]]
    """
    vocabulary = vocabulary_of(documents)
    times = [[Counter(document)[token] for token in vocabulary] for document in documents]
    counts = np.array(times, np.float64)
    return {"counts": counts, "vocabulary": vocabulary}


def inverse_document_frequency(documents: list[list[str]]) -> np.ndarray:
    """idf(t) = ln((1 + N) / (1 + df(t))) + 1 for the sorted vocabulary.

    Reference: the user guide of scikit-learn, "Tf–idf term weighting", with ``smooth_idf=True``.
    """
    vocabulary = vocabulary_of(documents)
    holding = np.array([sum(token in document for document in documents) for token in vocabulary])
    return np.log((1 + len(documents)) / (1 + holding)) + 1


def unit_rows(weights: np.ndarray) -> np.ndarray:
    """Each row over its Euclidean length; a row of zeros stays one.

    Example:
        >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
        [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.sqrt((weights**2).sum(axis=1, keepdims=True))
    divisors = np.where(lengths == 0, 1.0, lengths)
    return weights / divisors


def tf_idf(documents: list[list[str]]) -> dict[str, np.ndarray]:
    """tf(t, d)·idf(t), in rows of length 1.

    Returns:
        weights: (documents, vocabulary), columns in alphabetical order.

    Example:
        >>> tf_idf([["b", "a"], ["b"]])["weights"].round(3).tolist()
        [[0.815, 0.58], [0.0, 1.0]]
    """
    frequencies = bag_of_words(documents)["counts"]
    weights = unit_rows(frequencies * inverse_document_frequency(documents))
    return {"weights": weights}
