# ---
# expected:
#   find_emails:
#     fails:
#       - the punctuation around an address isn't part of it
#       - the part before the @ is complete
#       - the part after the @ is complete
#       - capital letters are included
#       - every address counts, in the order of the text
#       - text that breaks a rule isn't an address
#     mistake: group_with_any_character
#   tokenize:
#     fails:
#       - all other punctuation is removed too, and nothing else
#     mistake: words_with_digits_dropped
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+.)+[A-Za-z]{2,}", text)


# %% grade_id="tokenize"
def tokenize(text):
    words = text.lower().replace("<br />", " ").split()
    bare = ["".join(c for c in word if c not in string.punctuation) for word in words]
    return [word for word in bare if word.isalpha()]
