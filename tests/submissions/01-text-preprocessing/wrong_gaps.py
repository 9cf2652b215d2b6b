# ---
# expected:
#   tokenize:
#     fails:
#       - a <br /> separates words and is removed
#       - any run of white space separates once
#       - punctuation alone gives no tokens
#     mistake: empty_tokens_at_the_ends
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#       - consecutive stop words are removed
#       - the result may be empty
#     mistake: removed_from_a_copy_while_iterating
#   stem:
#     fails: everything
#     mistake: endings_of_nouns_and_verbs
#   lemmatize:
#     fails:
#       - adjectives return to the base form
#       - adverbs aren't adjectives
#       - unknown words stay as they are
#     mistake: none_for_unknown_words
#   one_hot:
#     fails:
#       - a word outside the vocabulary is a row of zeros
#     mistake: stopped_at_an_unknown_word
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: digits_cut_off
#   bag_of_words:
#     fails:
#       - an empty document is a row of zeros
#     mistake: empty_document_fails
# ---

# %% grade_id="tokenize"
import re
import string


def tokenize(text):
    text = text.lower().replace("<br />", "\n")
    text = "".join(sign for sign in text if sign not in string.punctuation)
    return re.compile(r"\s+").split(text)


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    kept = [*tokens]
    for token in kept:
        if token in stopwords:
            del kept[kept.index(token)]
    return kept


# %% grade_id="stem"
def stem(tokens):
    return [re.sub(r"(?:(?:ion|e)?s|ing|ion|ed)$", "", token) for token in tokens]


# %% grade_id="lemmatize"
from nltk.corpus import wordnet

from course.data import language


def lemmatize(tokens, pos):
    language.lemmatizer()
    return [wordnet.morphy(token, pos) for token in tokens]


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    vectors = np.zeros((len(words), len(vocabulary)), dtype=int)
    try:
        for row, word in enumerate(words):
            vectors[row, vocabulary.index(word)] = 1
    except ValueError:
        pass
    return vectors


# %% grade_id="label_encode"
def label_encode(labels):
    numbers = np.array(labels)
    for number, name in reversed([*enumerate(sorted(set(labels)))]):
        numbers[[label == name for label in labels]] = number
    return numbers.astype(np.int64)


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = sorted(set().union(*documents))
    place = {word: column for column, word in enumerate(vocabulary)}
    counts = np.zeros((len(documents), len(vocabulary)))
    for row, document in enumerate(documents):
        np.add.at(counts[row], np.array([place[word] for word in document]), 1)
    return counts, vocabulary


# %% grade_id="tf_idf"
from sklearn.feature_extraction.text import TfidfVectorizer


def tf_idf(documents):
    return TfidfVectorizer(analyzer=lambda tokens: tokens).fit_transform(documents)
