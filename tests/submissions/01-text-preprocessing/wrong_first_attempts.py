# ---
# expected:
#   find_emails:
#     fails:
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - text that breaks a rule isn't an address
#     mistake: word_characters_only
#   tokenize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#       - all other punctuation is removed too, and nothing else
#     mistake: all_but_letters_and_digits_to_spaces
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#       - consecutive stop words are removed
#       - the result may be empty
#       - the inputs are not changed
#     mistake: removed_while_iterating
#   stem:
#     fails: everything
#     mistake: sentence_stemmed
#   lemmatize:
#     fails:
#       - verb forms become infinitives
#       - adjectives return to the base form
#       - adverbs aren't adjectives
#     mistake: all_as_nouns
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#       - each row of a repeated word is right
#       - a word outside the vocabulary is a row of zeros
#     mistake: vocabulary_sorted
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: in_order_of_appearance
#   bag_of_words:
#     fails:
#       - repeated words are counted
#     mistake: present_or_not
#   tf_idf:
#     fails:
#       - the words in a document have the right relative weights
#       - repeated words get more weight
#       - a word in all documents keeps some weight
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: textbook_idf
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
from course.data import language


def lemmatize(tokens, pos):
    return [language.lemmatizer().lemmatize(token) for token in tokens]


# %% grade_id="one_hot"
from sklearn.preprocessing import OneHotEncoder


def one_hot(words, vocabulary):
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    encoder.fit([[word] for word in vocabulary])
    return encoder.transform([[word] for word in words])


# %% grade_id="label_encode"
import numpy as np


def label_encode(labels):
    numbers = {}
    for label in labels:
        numbers.setdefault(label, len(numbers))
    return np.array([numbers[label] for label in labels])


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
