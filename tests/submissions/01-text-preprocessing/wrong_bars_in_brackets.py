# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part after the @ is complete
#     mistake: bars_everywhere
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: all_but_letters_and_digits_deleted
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[A-Z|a-z|0-9._%+-]+@(?:[A-Z|a-z|0-9-]+\.)+[A-Z|a-z]{2,}", text)


# %% grade_id="tokenize"
def tokenize(text):
    text = text.lower().replace("<br />", " ")
    return text.translate(str.maketrans("", "", string.punctuation + "–“”‘’…")).split()
