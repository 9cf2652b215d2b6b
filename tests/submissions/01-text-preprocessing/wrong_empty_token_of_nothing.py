# ---
# expected:
#   tokenize:
#     fails:
#       - punctuation alone gives no tokens
#     mistake: empty_token_of_nothing
# ---

# %% grade_id="tokenize"
def tokenize(text: str) -> list[str]:
    """Cut a text into lower-case tokens without ``string.punctuation``."""
    text = text.lower()
    text = text.replace("<br />", " ")
    delete = str.maketrans("", "", string.punctuation)
    text = text.translate(delete).strip()
    tokens = re.split(r"\s+", text)
    return tokens
