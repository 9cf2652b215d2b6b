# ---
# expected:
#   find_emails:
#     fails:
#       - the part after the @ is complete
#     mistake: bar_in_the_ending
# ---

# %% grade_id="find_emails"
def find_emails(text: str) -> list[str]:
    """Find all e-mail addresses in a text.

    Args:
        text: any text.

    Returns:
        The addresses in the order of the text, duplicates kept.
    """
    addresses = re.findall(r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Z|a-z]{2,}", text)
    return addresses
