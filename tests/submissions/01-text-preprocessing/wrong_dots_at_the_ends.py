# ---
# expected:
#   find_emails:
#     fails:
#       - the part before the @ is complete
#     mistake: none
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[A-Za-z0-9_%+-][A-Za-z0-9._%+-]*@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", text)
