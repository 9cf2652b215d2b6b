# ---
# expected:
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#     mistake: places_in_bytes
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: sorted_by_value
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#       - counts has the shape (documents, vocabulary)
#       - each column counts its own word
#     mistake: words_limited
#   tf_idf:
#     fails:
#       - weights has the shape (documents, vocabulary)
#       - a word in all documents keeps some weight
#     mistake: words_limited
# ---

# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    rows = np.zeros((len(words), len(vocabulary)))
    known = [row for row, word in enumerate(words) if word in vocabulary]
    places = np.array([vocabulary.index(words[row]) for row in known]).astype("int8")
    rows[known, places] = 1
    return rows


# %% grade_id="label_encode"
def label_encode(labels):
    classes = sorted(
        set(labels), key=lambda name: (len(name), name) if name.isdigit() else (0, name)
    )
    return np.array([classes.index(label) for label in labels])


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vectorizer = CountVectorizer(analyzer=lambda tokens: tokens, max_features=500)
    counts = vectorizer.fit_transform(documents)
    return counts, vectorizer.get_feature_names_out()


# %% grade_id="tf_idf"
def tf_idf(documents):
    return TfidfVectorizer(analyzer=lambda tokens: tokens, max_features=1000).fit_transform(
        documents
    )
