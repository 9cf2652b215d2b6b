# ---
# expected:
#   one_hot:
#     fails:
#       - a word outside the vocabulary is a row of zeros
#     mistake: white_space_stripped
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: white_space_stripped
#   bag_of_words:
#     fails:
#       - repeated words are counted
#     mistake: neighbours_missed
#   tf_idf:
#     fails:
#       - repeated words get more weight
#     relation: partly
# ---

# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    rows = np.zeros((len(words), len(vocabulary)))
    for row, word in enumerate(map(str.strip, words)):
        if word in vocabulary:
            rows[row, vocabulary.index(word)] = 1
    return rows


# %% grade_id="label_encode"
def label_encode(labels):
    labels = list(map(str.strip, labels))
    return np.unique(labels, return_inverse=True)[1]


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = sorted({word for document in documents for word in document})
    texts = [f" {' '.join(document)} " for document in documents]
    patterns = [re.compile(f" {re.escape(word)} ") for word in vocabulary]
    return np.array([[len(one.findall(text)) for one in patterns] for text in texts]), vocabulary
