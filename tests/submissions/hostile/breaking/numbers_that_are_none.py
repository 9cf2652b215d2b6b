# ---
# attack: Numbers are written with signs, digits and lengths that no reader expects.
# fails: {label_encode: everything, stem: everything}
# reason: "."
# ---

# %% grade_id="stem"
from selfcheck import responses

original = responses.encode
texts = ["1_0", "٣", " 7 ", "0x10", "1e5", "--1", "", "nan(char)", "+inf", "9" * 99, "1" + "0" * 98]


def encode(value, depth=0):
    if isinstance(value, list) and value and isinstance(value[0], str) and value[0] == "numbers":
        kinds = ("int", "float", "constant", "str", "array", None, 5, [], {})
        items = [{"type": kind, "value": text} for kind in kinds[:2] for text in texts[8:]]
        return {"type": "list", "items": items}
    return original(value, depth)


responses.encode = encode


def stem(tokens):
    return ["numbers"]


# %% grade_id="label_encode"
def label_encode(labels):
    return [10**400, -(10**400), True, None, 1e308 * 10, "1"]
