# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#     mistake: range_from_plus_to_underscore
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - adverbs aren't adjectives
#     mistake: other_parts_of_speech_tried
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#       - a word outside the vocabulary is a row of zeros
#     mistake: words_cut_again_as_they_are
#   label_encode:
#     fails:
#       - each class has its own number
#       - the numbers follow the alphabet, from 0
#       - a single class is number 0
#     mistake: two_classes_only
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"[a-zA-Z\d.%+-_]+@(?:[a-zA-Z\d-]+\.)+[a-zA-Z]{2,}", text, flags=re.ASCII)


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lookup = language.lemmatizer().lemmatize
    lemmas = []
    for token in tokens:
        found = [lookup(token, part) for part in [pos, *"nvar"]]
        changed = [lemma for lemma in found if lemma != token]
        lemmas.append(changed[0] if changed else token)
    return lemmas


# %% grade_id="one_hot"
from sklearn.feature_extraction.text import CountVectorizer


def one_hot(words, vocabulary):
    return CountVectorizer(vocabulary=vocabulary, lowercase=False).transform(words)


# %% grade_id="label_encode"
import numpy as np


def label_encode(labels):
    return np.array([label == sorted(labels)[-1] for label in labels], dtype=int)
