# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#     mistake: range_from_dot_to_underscore
#   tokenize:
#     fails:
#       - a <br /> separates words and is removed
#     mistake: line_breaks_in_capitals_left
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: own_list_for_none
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - verb forms become infinitives
#       - adverbs aren't adjectives
#     mistake: any_part_of_speech
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#       - a word outside the vocabulary is a row of zeros
#     mistake: holding_an_entry
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#     mistake: sorted_by_frequency
#   tf_idf:
#     fails:
#       - the words in a document have the right relative weights
#       - repeated words get more weight
#       - a word in all documents keeps some weight
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: only_df_smoothed
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"[A-Za-z0-9.-_%+]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", text)


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = text.replace("<br />", " ").lower()
    return text.translate(str.maketrans("", "", string.punctuation)).split()


# %% grade_id="remove_stopwords"
from course.data import language


def remove_stopwords(tokens, stopwords):
    stopwords = stopwords or language.stopwords()
    return [token for token in tokens if token not in stopwords]


# %% grade_id="lemmatize"
def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    lemmas = []
    for token in tokens:
        for part in ("n", "v", "a", "r"):
            lemma = lemmatizer.lemmatize(token, part)
            if lemma != token:
                break
        lemmas.append(lemma)
    return lemmas


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    return np.array([[entry in word for entry in vocabulary] for word in words]).astype(int)


# %% grade_id="bag_of_words"
from collections import Counter


def bag_of_words(documents):
    counted = Counter(word for document in documents for word in document)
    vocabulary = [word for word, _ in counted.most_common()]
    return np.array([[d.count(word) for word in vocabulary] for d in documents]), vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    vocabulary = sorted({word for document in documents for word in document})
    tf = np.array([[document.count(word) for word in vocabulary] for document in documents])
    weights = tf * (np.log(len(documents) / (1 + (tf > 0).sum(axis=0))) + 1)
    return weights / np.maximum(np.linalg.norm(weights, axis=1, keepdims=True), 1e-12)
