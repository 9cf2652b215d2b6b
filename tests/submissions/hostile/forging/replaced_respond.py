# ---
# attack: The function that runs an answer on the inputs is replaced by one that says what it wants.
# fails: {stem: everything}
# reason: remembered|stems
# ---

# %% grade_id="stem"
from selfcheck import responses

original_respond = responses.respond


def respond(exercise, obj, cases):
    response = original_respond(exercise, obj, cases)
    if exercise.name == "preprocessing.stem":
        for answer in response["cases"].values():
            answer["outputs"] = {"stems": {"type": "list", "items": []}}
            answer["passed"] = answer["points"] = answer["percent"] = 100
        response |= {"passed": True, "points": 1.0, "percent": 100, "verdict": {"percent": 100}}
    return response


responses.respond = respond


def stem(tokens):
    return []
