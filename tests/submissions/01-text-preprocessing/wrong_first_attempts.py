# ---
# expected:
#   find_emails: {points: 1.2, mistake: word_characters_only}
#   tokenize: {points: 1.2, mistake: punctuation_to_spaces}
#   remove_stopwords: {points: 0.6, mistake: removed_while_iterating}
#   stem: {points: 0, mistake: sentence_stemmed}
#   lemmatize: {points: 0.5, mistake: all_as_nouns}
#   one_hot: {points: 0.4, mistake: vocabulary_sorted}
#   label_encode: {points: 0.5, mistake: in_order_of_appearance}
#   bag_of_words: {points: 1.6, mistake: present_or_not}
#   tf_idf: {points: 1.0, mistake: textbook_idf}
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"\w+@\w+\.\w+", text)


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower().replace("<br />", " ")
    return re.sub(r"[^a-z0-9]", " ", text).split()


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    for token in tokens:
        if token in stopwords:
            tokens.remove(token)
    return tokens


# %% grade_id="stem"
from nltk.stem import PorterStemmer


def stem(tokens):
    return PorterStemmer().stem(" ".join(tokens)).split()


# %% grade_id="lemmatize"
from course import language


def lemmatize(tokens, pos):
    return [language.lemmatizer().lemmatize(token) for token in tokens]


# %% grade_id="one_hot"
from sklearn.preprocessing import OneHotEncoder


def one_hot(words, vocabulary):
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    encoder.fit([[word] for word in vocabulary])
    return encoder.transform([[word] for word in words])


# %% grade_id="label_encode"
def label_encode(labels):
    numbers = {}
    for label in labels:
        numbers.setdefault(label, len(numbers))
    return [numbers[label] for label in labels]


# %% grade_id="bag_of_words"
import numpy as np


def bag_of_words(documents):
    vocabulary = sorted(set(sum(documents, [])))
    counts = np.array([[word in document for word in vocabulary] for document in documents])
    return counts, vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    vocabulary = sorted(set(sum(documents, [])))
    tf = np.array([[document.count(word) for word in vocabulary] for document in documents])
    idf = np.log(len(documents) / (tf > 0).sum(axis=0))
    weights = tf * idf
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    return weights / np.where(lengths > 0, lengths, 1)
