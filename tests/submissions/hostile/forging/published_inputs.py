# ---
# attack: In the place of the secret inputs there are the published ones, whose answers are on the
#   answer sheet.
# points: {stem: 0}
# reason: stems
# ---

# %% grade_id="stem"
from course import answers, exercises, responses

exercise = exercises.get("preprocessing.stem")
sheet, *_ = answers.load(exercise)
known = {
    tuple(case.inputs["tokens"]): sheet[case.name].outputs["stems"]
    for case in exercise.cases(answers.PUBLISHED_SEED)
}
secret = responses.secret_cases


def published(name):
    return exercise.cases(answers.PUBLISHED_SEED) if name == exercise.name else secret(name)


responses.secret_cases = published


def stem(tokens):
    return known[tuple(tokens)]
