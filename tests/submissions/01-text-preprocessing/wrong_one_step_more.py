# ---
# expected:
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: letters_only
#   stem:
#     fails:
#       - plurals are stemmed
#       - derived words are stemmed
#     mistake: nouns_looked_up_first
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - verb forms become infinitives
#     mistake: looked_up_until_nothing_changes
#   one_hot:
#     fails:
#       - a word outside the vocabulary is a row of zeros
#     mistake: unknown_words_added
#   label_encode:
#     fails:
#       - each class has its own number
#       - the numbers follow the alphabet, from 0
#     mistake: numbers_sorted
#   tf_idf:
#     fails:
#       - the words in a document have the right relative weights
#       - each row has length 1
#       - repeated words get more weight
#       - a word in all documents keeps some weight
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: rounded_to_2_places
# ---

# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    words = filter(str.isalpha, tokens)
    return [word for word in words if word not in stopwords]


# %% grade_id="stem"
from nltk.stem import PorterStemmer, WordNetLemmatizer


def stem(tokens):
    lemmas = map(WordNetLemmatizer().lemmatize, tokens)
    return list(map(PorterStemmer().stem, lemmas))


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lookup = language.lemmatizer().lemmatize

    def base(word):
        shorter = lookup(word, pos)
        return word if shorter == word else base(shorter)

    return [base(token) for token in tokens]


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    vocabulary.extend(dict.fromkeys(word for word in words if word not in vocabulary))
    return np.eye(len(vocabulary))[[vocabulary.index(word) for word in words]]


# %% grade_id="label_encode"
def label_encode(labels):
    labels.sort()
    classes = list(dict.fromkeys(labels))
    return np.array([classes.index(label) for label in labels])


# %% grade_id="tf_idf"
from sklearn.feature_extraction.text import TfidfVectorizer


def tf_idf(documents):
    weights = TfidfVectorizer(analyzer=lambda tokens: tokens).fit_transform(documents)
    return np.around(weights.toarray(), decimals=2)
