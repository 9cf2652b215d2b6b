# ---
# attack: What is handed over is far too long, far too deep, or says that it is.
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
#   find_emails: cannot be read|too large
#   tokenize: cannot be read|too large|nested
#   remove_stopwords: cannot be read|more than|too large
#   stem: not a number|cannot be read|stems
#   lemmatize: more than|too large|cannot be read
#   one_hot: more than|short list of sizes
#   label_encode: short list of sizes
#   bag_of_words: more than|too large
#   tf_idf: ""
# ---

# %% grade_id="find_emails"
import base64

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


text = {"type": "str", "value": "x" * 9_000}
zeros = base64.b64encode(bytes(500_000)).decode()
values = {
    "find_emails": {"type": "str", "value": "x" * 150_000},
    "tokenize": nested(150),
    "remove_stopwords": {"type": "list", "items": [text] * 40},
    "stem": {"type": "int", "value": "9" * 100_000},
    "lemmatize": {"type": "list", "items": [{"type": "constant", "value": None}] * 10_001},
    "one_hot": array("float64", [2_000_000, 2_000_000], ""),
    "label_encode": array("int8", [0] * 7 + [2**70], ""),
    "bag_of_words": array("int8", [500_000], zeros),
    "tf_idf": {"type": "float", "value": "1e999"},
}


def find_emails(text):
    return []


def forged(name, obj):
    exercise = COURSE.get(name)
    outputs = {output: values[exercise.function] for output in exercise.axes}
    cases = {case.name: {"outputs": outputs} for case in exercise.cases(1)}
    cases |= {f"case {number}": {} for number in range(1_000)}
    display({responses.MIME: {"exercise": name, "cases": cases}}, raw=True)


course.grade = forged
