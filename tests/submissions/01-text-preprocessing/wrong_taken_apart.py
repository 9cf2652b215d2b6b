# ---
# expected:
#   find_emails:
#     fails:
#       - text that breaks a rule isn't an address
#     mistake: underscore_in_the_domain
#   tokenize:
#     fails:
#       - any run of white space separates once
#     mistake: split_at_spaces_and_line_ends
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: whole_words_cut_out_escaped
#   stem:
#     fails:
#       - every token has its stem, in order
#     mistake: parts_stemmed
#   lemmatize:
#     fails:
#       - unknown words stay as they are
#     mistake: parts_looked_up
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9_-]+[.])+[A-Za-z]{2,}", text)


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = text.lower().replace("<br />", " ").replace("\n", " ")
    text = "".join(sign for sign in text if sign not in string.punctuation)
    return [token for token in text.split(" ") if token != ""]


# %% grade_id="remove_stopwords"
import re


def remove_stopwords(tokens, stopwords):
    text = " ".join(tokens)
    for word in stopwords:
        text = re.sub(rf"\b{re.escape(word)}\b", " ", text)
    return text.split()


# %% grade_id="stem"
from nltk.stem import PorterStemmer


def stem(tokens):
    porter = PorterStemmer()
    stems = []
    for token in tokens:
        stems.append("-".join(map(porter.stem, token.split("-"))))
    return stems


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    look_up = language.lemmatizer().lemmatize
    return ["-".join([look_up(part, pos) for part in token.split("-")]) for token in tokens]
