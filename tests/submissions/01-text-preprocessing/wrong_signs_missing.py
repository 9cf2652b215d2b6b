# ---
# expected:
#   find_emails:
#     fails:
#       - the part before the @ is complete
#     mistake: no_percent_sign_before_the_at
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: backslash_left
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: negations_kept
#   stem:
#     fails: everything
#     mistake: ending_removed
#   one_hot:
#     fails: everything
#     mistake: column_for_unknown_words
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#       - a single class is number 0
#     mistake: how_often_each_occurs
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#     mistake: sorted_without_capitals
#   tf_idf:
#     fails:
#       - an empty document is a row of zeros
#     mistake: empty_documents_not_counted
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[A-Za-z0-9._+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", text)


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower().replace("<br />", " ")
    return re.sub("[" + string.punctuation + "]", "", text).split()


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    negations = {"no", "not", "nor", "never"}
    return [token for token in tokens if token not in stopwords or token in negations]


# %% grade_id="stem"
def stem(tokens):
    return [token.removesuffix("ing") for token in tokens]


# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    vectors = np.zeros((len(words), len(vocabulary) + 1))
    for row, word in enumerate(words):
        vectors[row, vocabulary.index(word) if word in vocabulary else len(vocabulary)] = 1
    return vectors


# %% grade_id="label_encode"
def label_encode(labels):
    counted = Counter(labels)
    return np.array([counted[label] for label in labels])


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = sorted({word for document in documents for word in document})
    vocabulary.sort(key=str.lower)
    return np.array([[d.count(word) for word in vocabulary] for d in documents]), vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    filled = [document for document in documents if document]
    vocabulary = sorted({word for document in documents for word in document})
    tf = np.array([[document.count(word) for word in vocabulary] for document in documents])
    weights = tf * (np.log((1 + len(filled)) / (1 + (tf > 0).sum(axis=0))) + 1)
    lengths = np.sqrt((weights**2).sum(axis=1, keepdims=True))
    return np.divide(weights, lengths, out=np.zeros_like(weights), where=lengths > 0)
