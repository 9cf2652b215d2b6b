# ---
# expected:
#   find_emails: {points: 1, mistake: whole_words_only}
#   tokenize: {points: 1.6, mistake: every_tag_cut_out}
# ---

# %% grade_id="find_emails"
import re


def find_emails(text):
    pattern = r"[a-zA-Z0-9._%+-]+@(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2,}"
    return [word for word in text.split() if re.fullmatch(pattern, word)]


# %% grade_id="tokenize"
import string


def tokenize(text):
    text = re.sub("<.*?>", " ", text.lower())
    return "".join(c for c in text if c not in string.punctuation).split()
