# ---
# attack: The secret seed is replaced by the published one.
# points: {stem: 0}
# reason: stems
# ---

# %% grade_id="stem"
from course import answers, exercises

secret = os.environ["COURSE_SECRET_SEED"]
os.environ["COURSE_SECRET_SEED"] = str(answers.PUBLISHED_SEED)
exercise = exercises.get("preprocessing.stem")
sheet, *_ = answers.load(exercise)
known = {
    tuple(case.inputs["tokens"]): sheet[case.name].outputs["stems"]
    for case in exercise.cases(answers.PUBLISHED_SEED)
}


def stem(tokens):
    return known[tuple(tokens)]


# %% grade_id="lemmatize"
os.environ["COURSE_SECRET_SEED"] = secret


def lemmatize(tokens, pos):
    lemmatizer = language.lemmatizer()
    return [lemmatizer.lemmatize(token, pos) for token in tokens]
