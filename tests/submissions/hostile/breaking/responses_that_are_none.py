# ---
# attack: In every cell another thing is handed over that is no response.
# fails:
#   find_emails: everything
#   tokenize: everything
#   remove_stopwords: everything
#   stem: everything
#   lemmatize: everything
#   one_hot: everything
#   label_encode: everything
#   bag_of_words: everything
#   tf_idf: everything
# reason:
#   find_emails: not an object
#   tokenize: not an object
#   remove_stopwords: answers
#   stem: no answer to the case
#   lemmatize: not typed|cannot be read
#   one_hot: not a short list of sizes
#   label_encode: does not fill its shape
#   bag_of_words: base64
#   tf_idf: nested too deep|too large
# ---

# %% grade_id="find_emails"
from IPython.display import display

import course
from course import COURSE
from selfcheck import responses


def nested(depth):
    value = {"type": "int", "value": "1"}
    for _ in range(depth):
        value = {"type": "list", "items": [value]}
    return value


def array(dtype, shape, data):
    return {"type": "array", "dtype": dtype, "shape": shape, "data": data}


values = {
    "lemmatize": {"type": {"type": "int"}, "value": ["1"]},
    "one_hot": array("float64", [-1, -8], "AAAAAAAAAAA="),
    "label_encode": array("float64", [10], "AAAAAAAAAAA="),
    "bag_of_words": array("float64", [1], "not base64!"),
    "tf_idf": nested(9),
}
whole = {
    "find_emails": "all right",
    "tokenize": {"exercise": "preprocessing.tokenize", "cases": [1, 2, 3]},
    "remove_stopwords": {"exercise": {"a": 1}, "cases": {}},
    "stem": {"exercise": "preprocessing.stem", "cases": {"plurals": 5, "verbs": None, "": {}}},
}


def forged(name, obj):
    exercise = COURSE.get(name)
    response = whole.get(exercise.function)
    if response is None:
        outputs = {output: values[exercise.function] for output in exercise.axes}
        cases = {case.name: {"outputs": outputs} for case in exercise.cases(1)}
        response = {"exercise": name, "cases": cases}
    display({responses.MIME: response}, raw=True)


course.grade = forged


def find_emails(text):
    return []
