# ---
# expected:
#   find_emails: {points: 0.8, mistake: words_with_an_at}
#   tokenize: {points: 1.6, mistake: line_breaks_left}
#   remove_stopwords: {points: 0.8, mistake: cut_out_of_the_text}
#   stem: {points: 0, mistake: letters_stripped}
#   lemmatize: {points: 0.1, mistake: sentence_lemmatized}
#   one_hot: {points: 1.6, mistake: unknown_as_last}
#   label_encode: {points: 0.2, mistake: places_in_the_list}
#   bag_of_words: {points: 1.6, mistake: vocabulary_as_it_appears}
#   tf_idf: {points: 1.6, mistake: rows_not_normalised}
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
from course import language


def lemmatize(tokens, pos):
    return language.lemmatizer().lemmatize(" ".join(tokens), pos).split()


# %% grade_id="one_hot"
import numpy as np


def one_hot(words, vocabulary):
    places = {word: place for place, word in enumerate(vocabulary)}
    return np.eye(len(vocabulary))[[places.get(word, -1) for word in words]]


# %% grade_id="label_encode"
def label_encode(labels):
    return [number for number, label in enumerate(labels)]


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
