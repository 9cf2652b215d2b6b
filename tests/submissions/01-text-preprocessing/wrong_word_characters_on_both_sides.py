# ---
# expected:
#   find_emails:
#     fails:
#       - the part before the @ is complete
#       - text that breaks a rule isn't an address
#     mistake: word_characters_on_both_sides
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: words_matched
#   remove_stopwords:
#     fails:
#       - single stop words are removed, and nothing else
#     mistake: none
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[\w.%+-]+@(?:[\w-]+\.)+[a-zA-Z]{2,}", text)


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower().replace("<br />", " ")
    for mark in string.punctuation:
        text = text.replace(mark, "")
    return re.findall(r"\w+", text)


# %% grade_id="remove_stopwords"
def remove_stopwords(tokens, stopwords):
    return [token for token in tokens if token.removesuffix("'s") not in stopwords]
