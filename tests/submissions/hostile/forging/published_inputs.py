# ---
# attack: In the place of the secret inputs there are the published ones, whose answers are on the
#   answer sheet.
# fails: {stem: everything}
# reason: stems
# ---

# %% grade_id="stem"
from course import COURSE
from selfcheck import responses, sheets

exercise = COURSE.get("preprocessing.stem")
sheet, *_ = sheets.load(COURSE.answers, exercise)
known = {
    tuple(case.inputs["tokens"]): sheet[case.name].outputs["stems"]
    for case in exercise.cases(sheets.PUBLISHED_SEED)
}
secret = responses.secret_cases


def published(name):
    return exercise.cases(sheets.PUBLISHED_SEED) if name == exercise.name else secret(name)


responses.secret_cases = published


def stem(tokens):
    return known[tuple(tokens)]
