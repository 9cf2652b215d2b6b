# ---
# expected:
#   label_encode:
#     fails:
#       - a single class is number 0
#     mistake: classes_of_earlier_calls
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#     mistake: words_of_earlier_calls
#   tf_idf:
#     fails:
#       - the words in a document have the right relative weights
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
known_words = []


def tf_idf(documents):
    for document in documents:
        known_words.extend(document)
    vocabulary = sorted(set(known_words))
    counts = np.array([[document.count(word) for word in vocabulary] for document in documents])
    idf = np.log((1 + len(documents)) / (1 + (counts > 0).sum(axis=0))) + 1
    lengths = np.linalg.norm(counts * idf, axis=1, keepdims=True)
    return counts * idf / np.where(lengths == 0, 1, lengths)
