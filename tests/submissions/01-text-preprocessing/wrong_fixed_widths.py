# ---
# expected:
#   one_hot:
#     fails:
#       - a word outside the vocabulary is a row of zeros
#     mistake: words_cut_to_the_vocabulary
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: long_labels_cut
#   bag_of_words:
#     fails:
#       - each column counts its own word
#     mistake: columns_in_bytes
# ---

# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    entries = np.asarray(vocabulary)
    rows = np.empty(len(words), entries.dtype)
    rows[:] = words
    return 1 * np.equal.outer(rows, entries)


# %% grade_id="label_encode"
def label_encode(labels):
    names = np.array(labels, "S16")
    return np.searchsorted(np.unique(names), names)


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = sorted({word for document in documents for word in document})
    column = dict(zip(vocabulary, np.arange(len(vocabulary)).astype(np.uint8), strict=True))
    counts = np.zeros((len(documents), len(vocabulary)))
    for row, document in zip(counts, documents, strict=True):
        for word in document:
            row[column[word]] += 1
    return counts, vocabulary
