# ---
# expected:
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#       - each row of a repeated word is right
#     mistake: counts_for_ones
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: replaced_twice
#   tf_idf:
#     fails:
#       - the words in a document have the right relative weights
#     mistake: equal_documents_counted_once
# ---

# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    table = np.zeros((len(words), len(vocabulary)))
    for word in words:
        for row, other in enumerate(words):
            if word == other and word in vocabulary:
                table[row, vocabulary.index(word)] += 1
    return table


# %% grade_id="label_encode"
def label_encode(labels):
    codes = list(labels)
    for number, name in enumerate(sorted(set(labels))):
        codes = [str(number) if code == name else code for code in codes]
    return np.array(list(map(int, codes)))


# %% grade_id="tf_idf"
def tf_idf(documents):
    counts, _ = bag_of_words(documents)
    different = np.unique(counts, axis=0)
    idf = np.log((1 + len(different)) / (1 + (counts > 0).sum(axis=0))) + 1
    weights = counts * idf
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    return weights / np.where(lengths > 0, lengths, 1)
