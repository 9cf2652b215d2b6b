# ---
# expected:
#   find_emails: {points: 0.2, mistake: only_the_group}
#   tokenize: {points: 1.2, mistake: runs_of_word_characters}
#   remove_stopwords: {points: 0.8, mistake: looked_up_in_one_text}
#   stem: {points: 0.7, mistake: snowball}
#   lemmatize: {points: 0, mistake: stemmed}
#   one_hot: {points: 1.6, relation: exception, reason: "ValueError: Found unknown categories"}
#   bag_of_words: {points: 1.7, mistake: words_cut_again}
#   tf_idf: {points: 3.6, mistake: tokens_cut_again}
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"[A-Za-z0-9._%+-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,}", text)


# %% grade_id="tokenize"
def tokenize(text):
    return re.findall(r"\w+", text.lower().replace("<br />", " "))


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    stopwords = " ".join(stopwords)
    return [token for token in tokens if token not in stopwords]


# %% grade_id="stem"
from nltk.stem import SnowballStemmer


def stem(tokens):
    return [SnowballStemmer("english").stem(token) for token in tokens]


# %% grade_id="lemmatize"
from nltk.stem import PorterStemmer


def lemmatize(tokens, pos):
    return [PorterStemmer().stem(token) for token in tokens]


# %% grade_id="one_hot"
from sklearn.preprocessing import OneHotEncoder


def one_hot(words, vocabulary):
    encoder = OneHotEncoder(categories=[vocabulary])
    return encoder.fit_transform([[word] for word in words])


# %% grade_id="bag_of_words"
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer


def bag_of_words(documents):
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(" ".join(document) for document in documents)
    return counts.toarray(), list(vectorizer.get_feature_names_out())


# %% grade_id="tf_idf"
def tf_idf(documents):
    return TfidfVectorizer().fit_transform(" ".join(document) for document in documents)
