# ---
# expected:
#   find_emails:
#     fails:
#       - the part after the @ is complete
#     mistake: no_hyphen_in_the_domain
#   tokenize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#       - all other punctuation is removed too, and nothing else
#       - punctuation alone gives no tokens
#     mistake: apostrophes_and_hyphens_kept
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9]+\.)+[A-Za-z]{2,}", text)


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower().replace("<br />", " ")
    marks = string.punctuation.replace("'", "").replace("-", "")
    return text.translate(str.maketrans("", "", marks)).split()
