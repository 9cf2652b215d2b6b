# ---
# expected:
#   label_encode:
#     fails: everything
#     mistake: classes_of_earlier_calls
#   bag_of_words:
#     fails: everything
#     mistake: words_of_earlier_calls
#   tf_idf:
#     fails: everything
#     mistake: words_of_earlier_calls
# ---

# %% grade_id="label_encode"
def label_encode(labels, classes=[]):
    for label in labels:
        if label not in classes:
            classes.append(label)
    classes.sort()
    return np.array([classes.index(label) for label in labels])


# %% grade_id="bag_of_words"
every_word = []


def bag_of_words(documents):
    for document in documents:
        every_word.extend(document)
    vocabulary = sorted(set(every_word))
    counts = np.array([[document.count(word) for word in vocabulary] for document in documents])
    return counts, vocabulary


# %% grade_id="tf_idf"
from sklearn.feature_extraction.text import TfidfVectorizer

_fitted = []


def tf_idf(documents):
    if not _fitted:
        _fitted.append(TfidfVectorizer(analyzer=lambda tokens: tokens).fit(documents))
    return _fitted[0].transform(documents)
