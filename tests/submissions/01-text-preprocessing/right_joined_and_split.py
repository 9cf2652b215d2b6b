# %% grade_id="bag_of_words"
from sklearn.feature_extraction.text import CountVectorizer


def bag_of_words(documents):
    vectorizer = CountVectorizer(lowercase=False, token_pattern=r"\S+")
    counts = vectorizer.fit_transform(map(" ".join, documents))
    return counts, vectorizer.get_feature_names_out()


# %% grade_id="tf_idf"
from sklearn.feature_extraction.text import TfidfVectorizer


def tf_idf(documents):
    texts = ["\n".join(document) for document in documents]
    return TfidfVectorizer(analyzer=str.split).fit_transform(texts)
