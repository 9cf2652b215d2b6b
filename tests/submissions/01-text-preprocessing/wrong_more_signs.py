# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#     mistake: more_signs_before_the_at
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: other_line_breaks_with_a_slash_too
# ---

# %% grade_id="find_emails"
def find_emails(text):
    name = r"[\w!#$%&'*+/=?^`{|}~.-]+"
    return re.findall(name + r"@(?:[a-zA-Z\d-]+\.)+[a-zA-Z]{2,}", text, re.ASCII)


# %% grade_id="tokenize"
def tokenize(text):
    text = re.sub(r"<br ?/>", " ", text.lower())
    return text.translate(str.maketrans("", "", string.punctuation)).split()
