# ---
# expected:
#   find_emails:
#     fails:
#       - the part before the @ is complete
#     mistake: none
# ---

# %% grade_id="find_emails"
def find_emails(text):
    pattern = re.compile(r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}")
    addresses, start = [], 0
    while found := pattern.search(text, start):
        addresses.append(found.group())
        start = text.index("@", found.start()) + 1
    return addresses
