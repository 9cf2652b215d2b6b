# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#     mistake: words_tested_whole
#   lemmatize:
#     fails:
#       - verb forms become infinitives
#     mistake: tokens_once_each
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#       - each row of a repeated word is right
#       - a word outside the vocabulary is a row of zeros
#     mistake: first_entry_unknown
#   tf_idf:
#     fails:
#       - each row has length 1
#       - repeated words get more weight
#       - a word in all documents keeps some weight
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: norm_without_axis
# ---

# %% grade_id="find_emails"
ADDRESS = re.compile(r"[\w.%+-]+@([a-z0-9-]+\.)+[a-z]{2,}", re.IGNORECASE | re.ASCII)


def find_emails(text):
    candidates = (word.strip("'\"<>()[]{}.,;:!?") for word in text.split())
    return list(filter(ADDRESS.fullmatch, candidates))


# %% grade_id="lemmatize"
def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    known = {}
    for token in tokens:
        known[token] = lemmatizer.lemmatize(token, pos)
    return [*known.values()]


# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    place = {entry: number for number, entry in enumerate(vocabulary)}
    rows = np.zeros((len(words), len(vocabulary)))
    for row, word in zip(rows, words, strict=True):
        number = place.get(word)
        if number:
            row[number] = 1
    return rows


# %% grade_id="tf_idf"
def tf_idf(documents):
    counts, vocabulary = bag_of_words(documents)
    df = np.count_nonzero(counts, axis=0)
    product = counts * (1 + np.log((1 + len(documents)) / (1 + df)))
    return product / np.linalg.norm(product, 1)
