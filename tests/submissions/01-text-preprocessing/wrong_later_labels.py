# ---
# expected:
#   find_emails:
#     fails:
#       - the part after the @ is complete
#     mistake: only_letters_after_the_first_label
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}(?:\.[A-Za-z]{2,})?", text)
