# %% grade_id="find_emails"
import re


def find_emails(text):
    pattern = r"((?:[a-zA-Z]|[0-9]|[-.+%_])+@(?:[-0-9A-Za-z]+[.])+(?:[A-Z]|[a-z]){2,})"
    found = []
    match = re.search(pattern, text)
    while match:
        found.append(match[1])
        text = text[match.end() :]
        match = re.search(pattern, text)
    return found


# %% grade_id="tokenize"
import string


def tokenize(text):
    kept = "".join(
        character
        for character in text.lower().replace("<br />", "\n")
        if character not in string.punctuation
    )
    return [token for token in re.split(r"\s+", kept) if token]


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    tokens = tokens.copy()
    for word in [token for token in tokens if token in stopwords]:
        while word in tokens:
            tokens.remove(word)
    return tokens


# %% grade_id="one_hot"
from sklearn.preprocessing import OneHotEncoder


def one_hot(words, vocabulary):
    encoder = OneHotEncoder(categories=[vocabulary], handle_unknown="ignore")
    return encoder.fit_transform([[word] for word in words])


# %% grade_id="label_encode"
from sklearn.preprocessing import LabelEncoder


def label_encode(labels):
    return LabelEncoder().fit_transform(labels)


# %% grade_id="bag_of_words"
from sklearn.feature_extraction.text import CountVectorizer


def bag_of_words(documents):
    vectorizer = CountVectorizer(analyzer=lambda tokens: tokens)
    counts = vectorizer.fit_transform(documents)
    return counts, vectorizer.get_feature_names_out()


# %% grade_id="tf_idf"
from sklearn.feature_extraction.text import TfidfVectorizer


def tf_idf(documents):
    return TfidfVectorizer(analyzer=lambda tokens: tokens).fit_transform(documents)
