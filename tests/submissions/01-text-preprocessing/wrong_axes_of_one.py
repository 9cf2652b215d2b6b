# ---
# expected:
#   one_hot:
#     fails:
#       - the rows are an array of numbers (words, vocabulary)
#       - each word has its 1 in its own column
#     mistake: axis_of_one_word_lost
#   label_encode:
#     fails:
#       - a single class is number 0
#     mistake: axis_of_one_label_lost
#   bag_of_words:
#     fails:
#       - counts has the shape (documents, vocabulary)
#       - each column counts its own word
#     mistake: axis_of_one_document_lost
#   tf_idf:
#     fails:
#       - weights has the shape (documents, vocabulary)
#       - a word in all documents keeps some weight
#     mistake: axis_of_one_document_lost
# ---

# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    table = [[float(word == entry) for entry in vocabulary] for word in words]
    return np.squeeze(np.array(table))


# %% grade_id="label_encode"
def label_encode(labels):
    return np.searchsorted(np.unique(labels), np.array(labels)[:, None]).squeeze()


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = sorted(set().union(*documents))
    rows = [[document.count(word) for word in vocabulary] for document in documents]
    return (np.array(rows) if len(rows) > 1 else np.array(rows[0])), vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    return TfidfVectorizer(analyzer=list).fit_transform(documents).toarray().squeeze()
