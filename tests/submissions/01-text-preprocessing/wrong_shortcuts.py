# ---
# expected:
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#       - each row of a repeated word is right
#       - a word outside the vocabulary is a row of zeros
#     mistake: binary_search
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: by_the_beginning
#   tf_idf:
#     fails:
#       - an empty document is a row of zeros
#     mistake: not_divided_beside_an_empty_document
# ---

# %% grade_id="one_hot"
from bisect import bisect_left


def one_hot(words, vocabulary):
    rows = np.zeros((len(words), len(vocabulary)))
    for row, word in zip(rows, words, strict=True):
        place = bisect_left(vocabulary, word)
        if vocabulary[place : place + 1] == [word]:
            row[place] = 1
    return rows


# %% grade_id="label_encode"
def label_encode(labels):
    classes = np.unique(labels)
    return np.array([[name in label for name in classes] for label in labels]).argmax(axis=1)


# %% grade_id="tf_idf"
def tf_idf(documents):
    counts, _ = bag_of_words(documents)
    idf = 1 + np.log((1 + len(documents)) / (1 + (counts > 0).sum(axis=0)))
    weights = counts * idf
    lengths = np.linalg.norm(weights, axis=1)
    if lengths.min() > 0:
        weights = weights / lengths[:, None]
    return weights
