# ---
# attack: What the environment says of the inputs leads to the published ones.
# fails: {stem: everything}
# reason: stems
# ---

# %% grade_id="stem"
from pathlib import Path

from course import COURSE
from selfcheck import responses, sheets

secret = os.environ["COURSE_SECRET_INPUTS"]
Path("inputs").write_bytes(COURSE.packed_inputs(["preprocessing.stem"], sheets.PUBLISHED_SEED))
os.environ["COURSE_SECRET_INPUTS"] = "inputs"
exercise = COURSE.get("preprocessing.stem")
sheet, *_ = sheets.load(COURSE.answers, exercise)
known = {
    tuple(case.inputs["tokens"]): sheet[case.name].outputs["stems"]
    for case in exercise.cases(sheets.PUBLISHED_SEED)
}


def stem(tokens):
    return known[tuple(tokens)]


# %% grade_id="lemmatize"
os.environ["COURSE_SECRET_INPUTS"] = secret


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return [lemmatizer.lemmatize(token, pos) for token in tokens]
