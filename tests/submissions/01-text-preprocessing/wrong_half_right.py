# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - text that breaks a rule isn't an address
#     mistake: words_with_an_at
#   tokenize:
#     fails:
#       - a <br /> separates words and is removed
#     mistake: line_breaks_left
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#       - only whole tokens are stop words
#     mistake: cut_out_of_the_text
#   stem:
#     fails: everything
#     mistake: letters_stripped
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - irregular plurals become singulars
#       - verb forms become infinitives
#       - adjectives return to the base form
#       - adverbs aren't adjectives
#     mistake: sentence_lemmatized
#   one_hot:
#     fails:
#       - a word outside the vocabulary is a row of zeros
#     mistake: unknown_as_last
#   label_encode:
#     fails:
#       - each class has its own number
#       - the numbers follow the alphabet, from 0
#       - a single class is number 0
#     mistake: places_in_the_list
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#     mistake: vocabulary_as_it_appears
#   tf_idf:
#     fails:
#       - each row has length 1
#       - repeated words get more weight
#       - a word in all documents keeps some weight
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: rows_not_normalised
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return [word for word in text.split() if "@" in word]


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return text.replace("<br />", " ").split()


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    text = " ".join(tokens)
    for word in stopwords:
        text = text.replace(word, "")
    return text.split()


# %% grade_id="stem"
def stem(tokens):
    return [token.strip("ing") for token in tokens]


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    return language.lemmatizer().lemmatize(" ".join(tokens), pos).split()


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    places = {word: place for place, word in enumerate(vocabulary)}
    return np.eye(len(vocabulary))[[places.get(word, -1) for word in words]]


# %% grade_id="label_encode"
def label_encode(labels):
    return np.arange(len(labels))


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = []
    for document in documents:
        for word in document:
            if word not in vocabulary:
                vocabulary.append(word)
    return np.array([[d.count(word) for word in vocabulary] for d in documents]), vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    vocabulary = sorted({word for document in documents for word in document})
    tf = np.array([[document.count(word) for word in vocabulary] for document in documents])
    return tf * (np.log((1 + len(documents)) / (1 + (tf > 0).sum(axis=0))) + 1)
