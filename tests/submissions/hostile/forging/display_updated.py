# ---
# attack: A later cell exchanges what an earlier graded cell has displayed.
# fails: {stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
from IPython.display import display

import course
from course import COURSE
from selfcheck import responses


def stem(tokens):
    return []


def forged(name, obj):
    if name != "preprocessing.stem":
        return original(name, obj)
    response = responses.respond(COURSE.get(name), obj, responses.secret_cases(name))
    display({responses.MIME: response}, raw=True, display_id="handed-over")


original, course.grade = course.grade, forged


# %% grade_id="lemmatize"
from IPython.display import update_display

update_display({"text/plain": "1.0"}, raw=True, display_id="handed-over")


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return [lemmatizer.lemmatize(token, pos) for token in tokens]
