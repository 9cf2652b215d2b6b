# ---
# attack: The answers to the published inputs are looked up, so that the check finds nothing wrong.
# fails: {stem: everything}
# reason: stems
# ---

# %% grade_id="stem"
from course import COURSE
from selfcheck import sheets

exercise = COURSE.get("preprocessing.stem")
sheet, *_ = sheets.load(COURSE.answers, exercise)
known = {
    tuple(case.inputs["tokens"]): sheet[case.name].outputs["stems"]
    for case in exercise.cases(sheets.PUBLISHED_SEED)
}


def stem(tokens):
    return known.get(tuple(tokens), [])
