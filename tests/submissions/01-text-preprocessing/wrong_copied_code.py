# ---
# expected:
#   find_emails:
#     fails:
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - text that breaks a rule isn't an address
#     mistake: pattern_of_the_web
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: ascii_only
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: another_list
#   stem:
#     fails: everything
#     mistake: only_the_last_and_none_fails
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    pattern = r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Z|a-z]{2,}\b"
    addresses = re.findall(pattern, text)
    return addresses


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower()
    text = text.replace("<br />", " ")
    text = re.sub(r"[^a-z0-9\s]", "", text)
    return text.split()


# %% grade_id="remove_stopwords"
from course.data import language


def remove_stopwords(tokens, stopwords):
    stop = language.stopwords()
    return [token for token in tokens if token not in stop]


# %% grade_id="stem"
from nltk.stem import PorterStemmer


def stem(tokens):
    stemmer = PorterStemmer()
    for token in tokens:
        stems = []
        stems.append(stemmer.stem(token))
    return stems
