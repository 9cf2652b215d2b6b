# ---
# expected:
#   find_emails:
#     fails:
#       - every address counts, in the order of the text
#     mistake: kept_between_calls
#   tokenize:
#     fails:
#       - punctuation alone gives no tokens
#     mistake: kept_between_calls
#   remove_stopwords:
#     fails:
#       - the result may be empty
#     mistake: kept_between_calls
#   stem:
#     fails:
#       - every token has its stem, in order
#     mistake: kept_between_calls
#   lemmatize:
#     fails:
#       - unknown words stay as they are
#     mistake: kept_between_calls
# ---

# %% grade_id="find_emails"
import re

seen = []


def find_emails(text):
    for match in re.finditer(r"[a-z0-9._%+-]+@([a-z0-9-]+\.)+[a-z]{2,}", text, re.IGNORECASE):
        seen.append(match.group())
    return seen


# %% grade_id="tokenize"
import string


def tokenize(text, tokens=[]):
    text = text.lower().replace("<br />", " ")
    for word in text.split():
        bare = "".join(sign for sign in word if sign not in string.punctuation)
        if bare:
            tokens.append(bare)
    return tokens


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords, kept=[]):
    kept += [token for token in tokens if token not in stopwords]
    return kept


# %% grade_id="stem"
from nltk.stem import PorterStemmer


class Stems:
    found = []

    def __call__(self, tokens):
        self.found.extend(map(PorterStemmer().stem, tokens))
        return self.found


stem = Stems()


# %% grade_id="lemmatize"
from course.data import language

lemmas = []


def lemmatize(tokens, pos):
    for token in tokens:
        lemmas.append(language.lemmatizer().lemmatize(token, pos))
    return lemmas
