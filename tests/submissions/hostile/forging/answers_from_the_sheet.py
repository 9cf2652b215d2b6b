# ---
# attack: The answers to the published inputs are looked up, so that the check finds nothing wrong.
# points: {stem: 0}
# reason: stems
# ---

# %% grade_id="stem"
from course import answers, exercises

exercise = exercises.get("preprocessing.stem")
sheet, *_ = answers.load(exercise)
known = {
    tuple(case.inputs["tokens"]): sheet[case.name].outputs["stems"]
    for case in exercise.cases(answers.PUBLISHED_SEED)
}


def stem(tokens):
    return known.get(tuple(tokens), [])
