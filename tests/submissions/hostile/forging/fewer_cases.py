# ---
# attack: The response leaves the cases out that the answer gets wrong.
# fails: {find_emails: everything}
# reason: no answer to the case
# ---

# %% grade_id="find_emails"
from selfcheck import responses

hardest = ("only an @", "running text")
original = responses.respond


def respond(asked, obj, cases):
    response = original(asked, obj, cases)
    for name in hardest:
        response["cases"].pop(name, None)
    return response


responses.respond = respond


def find_emails(text):
    return re.findall(r"\S+@\S+", text)
