# ---
# expected:
#   find_emails:
#     fails:
#       - the part after the @ is complete
#     mistake: number_of_labels_limited
#   tokenize:
#     fails:
#       - any run of white space separates once
#     mistake: split_at_spaces_tabs_and_line_ends
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: stop_words_as_patterns
#   stem:
#     fails: everything
#     mistake: endings_with_ies_to_i
#   lemmatize:
#     fails: everything
#     mistake: pairs_of_token_and_lemma
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    return re.findall(r"[a-zA-Z0-9._%+-]+@(?:[a-zA-Z0-9-]+\.){1,4}[a-zA-Z]{2,}", text)


# %% grade_id="tokenize"
import re
import string


def tokenize(text):
    text = re.sub(f"[{re.escape(string.punctuation)}]", "", text.lower().replace("<br />", " "))
    return list(filter(None, re.split("[ \t\n]+", text)))


# %% grade_id="remove_stopwords"
import re


def remove_stopwords(tokens, stopwords):
    patterns = [re.compile(word) for word in stopwords]
    return [t for t in tokens if not any(pattern.fullmatch(t) for pattern in patterns)]


# %% grade_id="stem"
def stem(tokens):
    stems = []
    for token in tokens:
        if token.endswith("ies"):
            stems.append(token[:-2])
            continue
        for ending in ("ions", "ing", "ed", "s"):
            if token.endswith(ending):
                token = token[: -len(ending)]
                break
        stems.append(token)
    return stems


# %% grade_id="lemmatize"
from course.data import language


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return list({i: (t, lemmatizer.lemmatize(t, pos)) for i, t in enumerate(tokens)}.values())
