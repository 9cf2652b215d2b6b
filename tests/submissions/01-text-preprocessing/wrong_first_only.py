# ---
# expected:
#   find_emails:
#     fails:
#       - an address in running text is found
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - capital letters are included
#       - every address counts, in the order of the text
#     mistake: whole_text_only
#   tokenize:
#     fails:
#       - a <br /> separates words and is removed
#     mistake: first_line_break_only
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#       - consecutive stop words are removed
#       - repeated tokens are treated alike
#       - the result may be empty
#     mistake: first_stop_word_only
#   stem:
#     fails: everything
#     mistake: stems_sorted
#   lemmatize:
#     fails: everything
#     mistake: only_the_last
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#       - each row of a repeated word is right
#       - a word outside the vocabulary is a row of zeros
#     mistake: repeated_words_once
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: first_places
#   bag_of_words:
#     fails:
#       - each column counts its own word
#     mistake: counted_in_one_row
#   tf_idf:
#     fails:
#       - each row has length 1
#       - repeated words get more weight
#       - a word in all documents keeps some weight
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: normalised_before_idf
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"^[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}$", text)


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = re.sub("<br />", " ", text.lower(), count=1)
    return text.translate(str.maketrans("", "", string.punctuation)).split()


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    for place, token in enumerate(tokens):
        if token in stopwords:
            return tokens[:place] + tokens[place + 1 :]
    return tokens


# %% grade_id="stem"
from nltk.stem import PorterStemmer


def stem(tokens):
    return sorted(PorterStemmer().stem(token) for token in tokens)


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    for token in tokens:
        lemmas = [language.lemmatizer().lemmatize(token, pos)]
    return lemmas


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    unique = list(dict.fromkeys(words))
    return np.array([[word == entry for entry in vocabulary] for word in unique], dtype=float)


# %% grade_id="label_encode"
def label_encode(labels):
    return np.array([labels.index(label) for label in labels])


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = sorted({word for document in documents for word in document})
    counts = np.zeros((len(documents), len(vocabulary)), dtype=int)
    for document in documents:
        for word in document:
            counts[documents.index(document), vocabulary.index(word)] += 1
    return counts, vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    vocabulary = sorted({word for document in documents for word in document})
    tf = np.array([[document.count(word) for word in vocabulary] for document in documents])
    idf = np.log((1 + len(documents)) / (1 + (tf > 0).sum(axis=0))) + 1
    tf = tf / np.maximum(np.linalg.norm(tf, axis=1, keepdims=True), 1e-12)
    return tf * idf
