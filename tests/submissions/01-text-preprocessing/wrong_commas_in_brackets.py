# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - text that breaks a rule isn't an address
#     mistake: commas_everywhere
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: curly_quotes_removed
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[a-z,A-Z,0-9,.,_,%,+,-]+@(?:[a-z,A-Z,0-9,-]+\.)+[a-z,A-Z]{2,}", text)


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower().replace("<br />", " ")
    marks = string.punctuation + "“”’"
    return "".join(sign for sign in text if sign not in marks).split()
