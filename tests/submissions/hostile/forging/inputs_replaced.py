# ---
# attack: What the environment says of the inputs leads to the published ones.
# points: {stem: 0}
# reason: stems
# ---

# %% grade_id="stem"
from pathlib import Path

from course import answers, exercises, responses

secret = os.environ["COURSE_SECRET_INPUTS"]
Path("inputs").write_bytes(responses.packed(["preprocessing.stem"], answers.PUBLISHED_SEED))
os.environ["COURSE_SECRET_INPUTS"] = "inputs"
exercise = exercises.get("preprocessing.stem")
sheet, *_ = answers.load(exercise)
known = {
    tuple(case.inputs["tokens"]): sheet[case.name].outputs["stems"]
    for case in exercise.cases(answers.PUBLISHED_SEED)
}


def stem(tokens):
    return known[tuple(tokens)]


# %% grade_id="lemmatize"
os.environ["COURSE_SECRET_INPUTS"] = secret


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return [lemmatizer.lemmatize(token, pos) for token in tokens]
