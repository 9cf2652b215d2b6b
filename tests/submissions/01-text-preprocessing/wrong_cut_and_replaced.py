# ---
# expected:
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#     mistake: long_words_cut
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: replaced_twice_and_cut_off
#   tf_idf:
#     fails:
#       - the words in a document have the right relative weights
#     mistake: equal_documents_once
# ---

# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    short = [np.array(names, dtype="U10") for names in (words, vocabulary)]
    return (short[0][:, None] == short[1]).astype(int)


# %% grade_id="label_encode"
def label_encode(labels):
    codes = np.array(labels)
    for number, name in enumerate(np.unique(labels)):
        codes = np.where(codes == name, str(number), codes).astype(codes.dtype)
    return codes.astype(int)


# %% grade_id="tf_idf"
def tf_idf(documents):
    counts, _ = bag_of_words(documents)
    different = np.unique(counts, axis=0)
    idf = np.log((1 + len(different)) / (1 + (different > 0).sum(axis=0))) + 1
    weights = counts * idf
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    return weights / np.where(lengths > 0, lengths, 1)
