# ---
# expected:
#   find_emails:
#     fails:
#       - capital letters are included
#     mistake: addresses_in_lower_case
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: eszett_folded
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: capitals_ignored
#   stem:
#     fails:
#       - derived words are stemmed
#     mistake: mode_original_algorithm
#   lemmatize:
#     fails:
#       - regular plurals become singulars
#       - irregular plurals become singulars
#       - verb forms become infinitives
#       - adverbs aren't adjectives
#     mistake: all_as_adjectives
#   one_hot:
#     fails:
#       - each word has its 1 in its own column
#       - a word outside the vocabulary is a row of zeros
#     mistake: words_in_lower_case
#   label_encode:
#     fails:
#       - the numbers follow the alphabet, from 0
#     mistake: capitals_ignored
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#       - short, hyphenated and capitalised tokens are counted unchanged
#     mistake: capitals_lost
#   tf_idf:
#     fails:
#       - repeated words get more weight
#     mistake: logarithm_of_the_count
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}", text.lower())


# %% grade_id="tokenize"
def tokenize(text):
    text = text.casefold().replace("<br />", " ")
    return "".join(c for c in text if c not in string.punctuation).split()


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    lower = {word.lower() for word in stopwords}
    return [token for token in tokens if token.lower() not in lower]


# %% grade_id="stem"
def stem(tokens):
    stemmer = nltk.PorterStemmer(mode="ORIGINAL_ALGORITHM")
    return [stemmer.stem(token) for token in tokens]


# %% grade_id="lemmatize"
from nltk.stem import WordNetLemmatizer


def lemmatize(tokens, pos):
    return [WordNetLemmatizer().lemmatize(token, "a") for token in tokens]


# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    words = [word.lower() for word in words]
    return np.array([[int(word == entry) for entry in vocabulary] for word in words])


# %% grade_id="label_encode"
def label_encode(labels):
    classes = sorted(set(labels), key=str.casefold)
    return np.array([classes.index(label) for label in labels])


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vectorizer = CountVectorizer(token_pattern=r"\S+")
    counts = vectorizer.fit_transform([" ".join(document) for document in documents])
    return counts.toarray(), list(vectorizer.get_feature_names_out())


# %% grade_id="tf_idf"
def tf_idf(documents):
    vectorizer = TfidfVectorizer(analyzer=lambda tokens: tokens, sublinear_tf=True)
    return vectorizer.fit_transform(documents).toarray()
