# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#     mistake: whole_words_only
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: every_tag_cut_out
# ---

# %% grade_id="find_emails"
def find_emails(text):
    pattern = r"[a-zA-Z0-9._%+-]+@(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2,}"
    return [word for word in text.split() if re.fullmatch(pattern, word)]


# %% grade_id="tokenize"
def tokenize(text):
    text = re.sub("<.*?>", " ", text.lower())
    return "".join(c for c in text if c not in string.punctuation).split()
