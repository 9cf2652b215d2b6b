# ---
# expected:
#   find_emails:
#     fails:
#       - the part after the @ is complete
#     mistake: hyphens_inside_labels_only
# ---

# %% grade_id="find_emails"
def find_emails(text):
    return re.findall(r"[a-zA-Z0-9._%+-]+@(?:[a-zA-Z0-9-]*[a-zA-Z0-9]\.)+[a-zA-Z]{2,}", text)
