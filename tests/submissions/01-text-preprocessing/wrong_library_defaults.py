# ---
# expected:
#   find_emails:
#     fails:
#       - an address in running text is found
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - capital letters are included
#       - every address counts, in the order of the text
#     mistake: only_the_group
#   tokenize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#       - all other punctuation is removed too, and nothing else
#     mistake: runs_of_word_characters
#   remove_stopwords:
#     fails:
#       - only whole tokens are stop words
#     mistake: looked_up_in_one_text
#   stem:
#     fails:
#       - plurals are stemmed
#       - derived words are stemmed
#       - every token has its stem, in order
#     mistake: snowball
#   lemmatize:
#     fails: everything
#     mistake: stemmed
#   one_hot:
#     fails:
#       - a word outside the vocabulary is a row of zeros
#     mistake: unknown_not_asked_for
#   bag_of_words:
#     fails:
#       - the vocabulary contains each word once, sorted
#       - short, hyphenated and capitalised tokens are counted unchanged
#     mistake: words_cut_again
#   tf_idf:
#     fails:
#       - short, hyphenated and capitalised tokens are counted unchanged
#     mistake: tokens_cut_again
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[A-Za-z0-9._%+-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,}", text)


# %% grade_id="tokenize"
def tokenize(text):
    return re.findall(r"\w+", text.lower().replace("<br />", " "))


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    stopwords = " ".join(stopwords)
    return [token for token in tokens if token not in stopwords]


# %% grade_id="stem"
from nltk.stem import SnowballStemmer


def stem(tokens):
    return [SnowballStemmer("english").stem(token) for token in tokens]


# %% grade_id="lemmatize"
def lemmatize(tokens, pos):
    return [PorterStemmer().stem(token) for token in tokens]


# %% grade_id="one_hot"
from sklearn.preprocessing import OneHotEncoder


def one_hot(words, vocabulary):
    encoder = OneHotEncoder(categories=[vocabulary])
    return encoder.fit_transform([[word] for word in words])


# %% grade_id="bag_of_words"
def bag_of_words(documents):
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(" ".join(document) for document in documents)
    return counts.toarray(), list(vectorizer.get_feature_names_out())


# %% grade_id="tf_idf"
def tf_idf(documents):
    return TfidfVectorizer().fit_transform(" ".join(document) for document in documents)
