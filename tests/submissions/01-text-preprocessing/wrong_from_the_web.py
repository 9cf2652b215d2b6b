# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - text that breaks a rule isn't an address
#     mistake: dots_and_hyphens_only
#   tokenize:
#     fails:
#       - a <br /> separates words and is removed
#       - apostrophes and hyphens are removed without splitting words
#       - all other punctuation is removed too, and nothing else
#       - any run of white space separates once
#       - punctuation alone gives no tokens
#     mistake: split_at_single_spaces
#   remove_stopwords:
#     fails:
#       - repeated tokens are treated alike
#     mistake: repetitions_lost
#   stem:
#     fails: everything
#     mistake: lancaster
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - irregular plurals become singulars
#       - adjectives return to the base form
#       - adverbs aren't adjectives
#     mistake: all_as_verbs
#   one_hot:
#     fails: everything
#     mistake: vocabulary_of_the_words
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: by_frequency
#   bag_of_words:
#     fails:
#       - each column counts its own word
#       - repeated words are counted
#       - short, hyphenated and capitalised tokens are counted unchanged
#       - an empty document is a row of zeros
#     mistake: shares_of_the_document
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[\w\.-]+@[\w\.-]+", text)


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower().replace("<br />", " ")
    for mark in string.punctuation:
        text = text.replace(mark, "")
    return text.split(" ")


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    kept = []
    for token in tokens:
        if token not in stopwords and token not in kept:
            kept.append(token)
    return kept


# %% grade_id="stem"
from nltk.stem import LancasterStemmer


def stem(tokens):
    stemmer = LancasterStemmer()
    return [stemmer.stem(token) for token in tokens]


# %% grade_id="lemmatize"
def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return [lemmatizer.lemmatize(token, pos="v") for token in tokens]


# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    from sklearn.preprocessing import LabelBinarizer

    return LabelBinarizer().fit_transform(words)


# %% grade_id="label_encode"
def label_encode(labels):
    numbers = {label: n for n, (label, _) in enumerate(Counter(labels).most_common())}
    return np.array([numbers[label] for label in labels])


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vocabulary = sorted({word for document in documents for word in document})
    counts = np.zeros((len(documents), len(vocabulary)))
    for row, document in enumerate(documents):
        for word in document:
            counts[row, vocabulary.index(word)] += 1 / len(document)
    return counts, vocabulary
