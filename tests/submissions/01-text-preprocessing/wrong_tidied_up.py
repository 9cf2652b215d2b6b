# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - text that breaks a rule isn't an address
#     mistake: words_with_an_at_stripped
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: word_characters_and_spaces_kept
#   remove_stopwords:
#     fails:
#       - repeated tokens are treated alike
#       - the inputs are not changed
#     mistake: stop_words_used_up
#   label_encode:
#     fails: everything
#     mistake: one_number_per_class
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#     mistake: sorted_backwards
#   tf_idf:
#     fails:
#       - each row has length 1
#       - repeated words get more weight
#       - a word in all documents keeps some weight
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: root_missing
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return [word.strip(string.punctuation) for word in text.split() if "@" in word]


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower().replace("<br />", " ")
    return re.sub(r"[^\w\s]", "", text).split()


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    kept = []
    for token in tokens:
        if token in stopwords:
            stopwords.remove(token)
        else:
            kept.append(token)
    return kept


# %% grade_id="label_encode"
def label_encode(labels):
    classes = sorted(set(labels))
    return np.array([classes.index(label) for label in classes])


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = sorted({word for document in documents for word in document}, reverse=True)
    return np.array([[d.count(word) for word in vocabulary] for d in documents]), vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    vocabulary = sorted({word for document in documents for word in document})
    tf = np.array([[document.count(word) for word in vocabulary] for document in documents])
    weights = tf * (np.log((1 + len(documents)) / (1 + (tf > 0).sum(axis=0))) + 1)
    return weights / np.maximum((weights**2).sum(axis=1, keepdims=True), 1e-12)
