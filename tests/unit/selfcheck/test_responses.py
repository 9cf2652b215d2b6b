"""Responses cross from a student's process to the judge: they must survive, or be refused."""

import copy
import itertools
import json
import time
import tracemalloc

import keras
import numpy as np
import pytest

from course import COURSE
from selfcheck import Failure, UnknownExercise, responses
from tests.conftest import responded
from tests.support import taught
from tests.support.taught import judge

NAME = "attention.average_attention"
SEED = 11


def right_response():
    """The reference's own outputs, as a student's process would hand them over."""
    exercise = COURSE.get(NAME)
    return {
        "exercise": NAME,
        "cases": {
            case: {
                "outputs": {
                    name: responses.encode(values.astype(np.float32))
                    for name, values in expected.outputs.items()
                }
            }
            for case, expected in taught.expected(exercise, SEED).items()
        },
    }


def test_the_right_outputs_survive_json():
    response = json.loads(json.dumps(right_response()))
    assert judge(NAME, SEED, response).percent == 100


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.array([np.nan, np.inf, -np.inf]),
        np.zeros((2, 0, 3), np.int64),
        np.array(True),
        "text with ünïcode",
        ["a", ("b", None), {"c": True}],
        {1: "a", 2.5: ["b"], ("c", 3): None, False: 4},
        {np.int64(7): np.zeros(2), np.float32(0.5): "x"},
    ],
)
def test_values_come_back_as_they_went(value):
    response = {"exercise": NAME, "cases": {}}
    for case in COURSE.get(NAME).cases(SEED):
        response["cases"][case.name] = {"outputs": {"output": responses.encode(value)}}
    back = responses.read(json.loads(json.dumps(response)), COURSE.get(NAME), SEED)
    np.testing.assert_equal(back["plain"]["output"], value)


def test_numbers_keep_their_value_and_not_a_number_stays_one():
    response = {"exercise": NAME, "cases": {}}
    for case, value in zip(
        ("plain", "equal", "large logits"), (0.1, -7, float("nan")), strict=True
    ):
        response["cases"][case] = {"outputs": {"output": responses.encode(value)}}
    back = responses.read(json.loads(json.dumps(response)), COURSE.get(NAME), SEED)
    assert (back["plain"]["output"], back["equal"]["output"]) == (0.1, -7)
    assert np.isnan(back["large logits"]["output"])


def _array(**changes):
    return {"type": "array", "dtype": "float32", "shape": [1], "data": "AACAPw=="} | changes


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        [],
        {"type": "pickle", "data": "gASVAAAA"},
        _array(dtype="object"),
        _array(dtype="float128"),
        _array(dtype=["float32"]),
        _array(shape=[-1]),
        _array(shape=[10**9, 10**9]),
        _array(shape="1"),
        _array(shape=[1] * 9),
        _array(shape=[True]),
        _array(shape=[2]),
        _array(data="not base64!"),
        _array(data=7),
        {"type": "int", "value": "1; import os"},
        {"type": "int", "value": "9" * 101},
        {"type": "float", "value": 1.5},
        {"type": "str", "value": "x" * 10_001},
        {"type": "list", "items": {"0": 1}},
        {"type": "dict", "items": [{"type": "list", "items": []}]},
        {"type": "other", "name": 7},
        {"type": "constant", "value": {}},
        _array(shape=[0] + [4_000_000] * 7, data=""),
        _array(shape=[0, 10**9], data=""),
        {"type": "dict", "items": [{"type": "str", "value": "ab"}]},
        {"type": "dict", "items": [{"type": "tuple", "items": [_array(), _array()]}]},
        {"type": ["array"]},
        {"type": "x" * 10**6},
    ],
)
def test_a_malformed_value_earns_nothing_and_gets_a_reason(value):
    response = right_response()
    response["cases"]["plain"]["outputs"]["output"] = value
    verdict = judge(NAME, SEED, response)
    assert verdict.percent == 0
    assert verdict.reason


@pytest.mark.parametrize(
    "response",
    [
        None,
        "",
        [],
        {},
        {"exercise": NAME},
        {"exercise": NAME, "cases": []},
        {"exercise": NAME, "cases": {}},
        {"exercise": NAME, "cases": {"plain": {"outputs": []}}},
        {"exercise": NAME, "cases": {"plain": {"failure": {"kind": 1, "message": 2}}}},
    ],
)
def test_what_is_no_response_earns_nothing_and_gets_a_reason(response):
    verdict = judge(NAME, SEED, response)
    assert verdict.percent == 0
    assert verdict.reason


def test_a_response_to_another_exercise_earns_nothing():
    response = right_response() | {"exercise": "attention.scaled_dot_product_attention"}
    assert "scaled_dot_product" in judge(NAME, SEED, response).reason


def test_the_outputs_of_another_seed_lose_the_points_for_numbers():
    assert judge(NAME, SEED + 1, right_response()).percent <= 20


def test_a_value_nested_too_deep_is_refused_without_recursing():
    value = {"type": "list", "items": []}
    for _ in range(100_000):
        value = {"type": "list", "items": [value]}
    response = right_response()
    response["cases"]["plain"]["outputs"]["output"] = value
    assert "nested" in judge(NAME, SEED, response).reason


@pytest.mark.parametrize("place", ["exercise", "type", "dtype", "cases"])
def test_a_name_that_is_nested_deep_is_refused_without_recursing(place):
    value = []
    for _ in range(100_000):
        value = [value]
    response = right_response()
    output = response["cases"]["plain"]["outputs"]["output"]
    (output if place in output else response)[place] = value
    verdict = judge(NAME, SEED, response)
    assert verdict.reason
    assert len(verdict.reason) < 200


def test_more_small_values_than_allowed_are_refused_in_sum():
    value = responses.encode([[1] * 10_000] * 10)
    response = right_response()
    response["cases"]["plain"]["outputs"]["output"] = value
    assert "bytes" in judge(NAME, SEED, response).reason


def test_numbers_mixed_with_long_text_do_not_fill_the_memory():
    value = responses.encode([["x" * 10_000] + [1.0] * 9_999])
    response = right_response()
    response["cases"]["plain"]["outputs"]["output"] = value
    tracemalloc.start()
    verdict = judge(NAME, SEED, response)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "has text in it" in verdict.findings[0].seen
    assert peak < 100 * 2**20


def test_a_failure_without_a_name_is_still_a_failure():
    for kind, message in (("", ""), ("\x1b", "\x07"), ("\ud800", "")):
        response = right_response()
        failure = {"kind": kind, "message": message}
        response["cases"] = {case: {"failure": failure} for case in response["cases"]}
        verdict = judge(NAME, SEED, response)
        assert (verdict.percent, verdict.explanation) == (0, "Error")


def test_any_byte_but_0_is_true_in_an_array_of_booleans():
    response = right_response()
    value = {"type": "array", "dtype": "bool", "shape": [3], "data": "AAL/"}
    response["cases"]["plain"]["outputs"]["output"] = value
    (back,) = responses.read(response, COURSE.get(NAME), SEED)["plain"].values()
    assert (back.dtype, back.tolist(), int(back.sum())) == (np.bool_, [False, True, True], 2)


def test_booleans_in_the_place_of_numbers_are_wrong_numbers():
    name = "preprocessing.bag_of_words"
    exercise = COURSE.get(name)
    counted = taught.expected(exercise, SEED)
    response = {
        "exercise": name,
        "cases": {
            case: {
                "outputs": {
                    "counts": responses.encode(entry.outputs["counts"] > 0),
                    "vocabulary": responses.encode(entry.outputs["vocabulary"]),
                    "remembered": responses.encode(entry.outputs["remembered"]),
                }
            }
            for case, entry in counted.items()
        },
    }
    verdict = judge(name, SEED, response)
    assert [finding.percent for finding in verdict.findings if not finding.passed] == [20]
    assert "expected" in verdict.explanation or verdict.hints


def test_a_list_with_arrays_in_the_place_of_text_is_another_list():
    name = "preprocessing.find_emails"
    exercise = COURSE.get(name)
    response = {
        "exercise": name,
        "cases": {
            case.name: {"outputs": {"addresses": responses.encode([[np.zeros(3)], "a@b.org"])}}
            for case in exercise.cases(SEED)
        },
    }
    assert judge(name, SEED, response).percent == 0


def test_a_layer_without_its_two_parts_is_judged_by_its_output():
    name = "attention.multi_head_self_attention"
    expected = taught.expected(COURSE.get(name), SEED)

    def percent(*left, error=0.0):
        cases = {
            case: {
                "outputs": {
                    output: responses.encode(
                        values + error if isinstance(values, np.ndarray) else values
                    )
                    for output, values in entry.outputs.items()
                    if output in (*left, "training", "unused", "ignored")
                }
            }
            for case, entry in expected.items()
        }
        return judge(name, SEED, {"exercise": name, "cases": cases}).percent

    assert percent("output", "biases", "fixed_axes") == 100
    assert percent("output", "separated", "biases", "fixed_axes") == 90
    assert percent("output", "biases", "fixed_axes", error=1.0) == 20
    assert percent("output", "fixed_axes") == 0  # a case without an output that it asks for fails


def test_what_a_student_named_cannot_fill_a_page_or_steer_a_terminal():
    name = "preprocessing.find_emails"
    response = {
        "exercise": name,
        "cases": {
            case.name: {"outputs": {"addresses": value}}
            for case, value in zip(
                COURSE.get(name).cases(SEED),
                itertools.cycle(
                    [
                        {"type": "other", "name": "\x1b[2J"},
                        responses.encode("\x1b\u202e" * 5_000),
                        responses.encode(["\ud800" * 10_000]),
                    ]
                ),
                strict=False,
            )
        },
    }
    verdict = judge(name, SEED, response)
    assert verdict.to_text().replace("\n", "").isprintable()
    assert len(verdict.to_html(2.0).encode("utf-8")) < 10_000


def test_more_bytes_than_allowed_are_refused_in_sum():
    size = responses.MAX_BYTES // 4 // 2 + 1
    response = right_response()
    for case in response["cases"].values():
        case["outputs"]["output"] = responses.encode(np.zeros(size, np.float32))
    assert "bytes" in judge(NAME, SEED, response).reason


def test_one_output_that_is_missing_fails_its_aspects_only():
    response = copy.deepcopy(right_response())
    del response["cases"]["large logits"]["outputs"]["output"]
    assert judge(NAME, SEED, response).percent == 80


def test_grade_without_a_judge_raises(monkeypatch):
    monkeypatch.delenv(responses.INPUTS_VARIABLE, raising=False)
    with pytest.raises(responses.Unjudged, match="autograder grade"):
        COURSE.grade(NAME, lambda hidden, context: hidden[:, 0])


def test_grade_raises_even_after_handing_over(monkeypatch, capsys, tmp_path):
    inputs = tmp_path / "inputs"
    inputs.write_bytes(COURSE.packed_inputs([NAME], 5))
    monkeypatch.setenv(responses.INPUTS_VARIABLE, str(inputs))
    with pytest.raises(responses.Unjudged, match="handed over"):
        COURSE.grade(NAME, lambda hidden, context: None)


def test_packed_inputs_are_those_of_the_seed_to_the_last_bit(monkeypatch, tmp_path):
    everything = COURSE.names()
    inputs = tmp_path / "inputs"
    inputs.write_bytes(COURSE.packed_inputs(everything, 2**53 - 1))
    monkeypatch.setenv(responses.INPUTS_VARIABLE, str(inputs))
    for name in everything:
        drawn = COURSE.get(name).cases(2**53 - 1)
        for case, handed in zip(drawn, responses.secret_cases(name), strict=True):
            assert handed.name == case.name
            assert handed.inputs.keys() == case.inputs.keys()
            for key, value in case.inputs.items():
                assert type(handed.inputs[key]) is type(value)
                if isinstance(value, np.ndarray):
                    np.testing.assert_array_equal(handed.inputs[key], value, strict=True)
                else:
                    assert handed.inputs[key] == value


def test_every_bit_of_a_seed_counts():
    texts = {
        str([case.inputs for case in COURSE.get("preprocessing.tokenize").cases(seed)])
        for seed in (5, 5 + 2**32, 5 + 2**33, 5 + 2**52, 2**32, 0)
    }
    assert len(texts) == 6


def test_grade_names_a_misspelt_exercise():
    with pytest.raises(UnknownExercise, match="did you mean"):
        COURSE.grade("attention.averge_attention", None)


def test_an_answer_that_exits_or_raises_is_a_failure_with_its_message():
    def leaves(hidden, context):
        raise SystemExit(3)

    def breaks(hidden, context):
        raise ValueError("\x1b[1mshapes\x1b[0m do not fit\nsecond line")

    exercise = COURSE.get(NAME)
    for answer, kind, message in ((leaves, "SystemExit", "3"), (breaks, "ValueError", "shapes")):
        response = responded(exercise.name, answer, SEED)
        failure = responses.read(response, exercise, SEED)["plain"]
        assert failure.kind == kind
        assert failure.message.startswith(message)


def test_the_name_of_an_operation_is_no_part_of_what_went_wrong():
    def answer(hidden, context):
        raise ValueError("Incompatible shapes: [5,7] vs. [5,7,11]. [Op:Mul] name: ")

    response = responded(NAME, answer, SEED)
    failure = responses.read(response, COURSE.get(NAME), SEED)["plain"]
    assert failure.message == "Incompatible shapes: [5,7] vs. [5,7,11]."
    assert str(Failure("ValueError", failure.message, 3)) == (
        "ValueError: Incompatible shapes: [5,7] vs. [5,7,11], line 3 of the cell"
    )


def from_cell(number, source):
    """What a notebook's cell defines."""
    names = {}
    exec(compile(source, f"<ipython-input-{number}>", "exec"), names)
    return names


def test_the_line_is_one_of_the_cell_that_answers():
    """Another answer may fail inside it, in a line of another cell."""
    inner = from_cell(1, "\n" * 6 + "def inner(hidden):\n    raise ValueError('no')")["inner"]
    source = "def answer(hidden, context):\n    x = 1\n    return inner(hidden)"
    answer = from_cell(2, source)["answer"]
    answer.__globals__["inner"] = inner
    failure = responded(NAME, answer, SEED)["cases"]["plain"]["failure"]
    assert (failure["message"], failure["line"]) == ("no", 3)


def test_what_a_compiled_function_raised_is_told_without_its_frame():
    def fails(hidden, context):
        raise TypeError(
            "in user code:\n\n    File a.py, line 3, in f  *\n\n    TypeError: bad mask"
        )

    exercise = COURSE.get(NAME)
    failure = responded(exercise.name, fails, SEED)["cases"]["plain"]["failure"]
    assert failure["message"] == "bad mask"


@pytest.mark.filterwarnings("ignore::UserWarning:keras")
def test_an_error_in_a_layer_of_a_model_is_told_without_kerass_frames():
    """Keras calls a model's layers as it builds it, and puts a frame around each one's error."""

    class Inner(keras.layers.Layer):
        def call(self, x):
            return x + keras.ops.ones(7)

    class Outer(keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def call(self, x):
            return self.inner(x)

    def builds(hidden, context):
        return Outer()(keras.Input((2, 5)))

    failure = responded(NAME, builds, SEED)["cases"]["plain"]["failure"]
    assert failure["message"] == (
        "Dimensions must be equal, but are 5 and 7 with input shapes: [?,2,5], [7]."
    )


def test_a_failures_text_cannot_steer_a_terminal():
    response = right_response()
    failure = {"kind": "Error\x1b[2J", "message": "first\r\x07second", "line": -5}
    response["cases"] = {case: {"failure": failure} for case in response["cases"]}
    explanation = judge(NAME, SEED, response).explanation
    assert explanation == "Error[2J: firstsecond"


def test_an_object_that_equals_everything_is_only_a_name():
    class Everything:
        def __eq__(self, other):
            return True

        __hash__ = None

    response = responded(NAME, lambda hidden, context: Everything(), SEED)
    verdict = judge(NAME, SEED, response)
    assert verdict.percent == 0
    assert "Everything" in verdict.findings[0].seen


def test_keys_of_one_hash_cost_no_time():
    """1, 1 + p, 1 + 2 p and powers of 2 ** 61, with p = 2 ** 61 - 1, and all their triples."""
    whole = [responses.encode(1 + k * (2**61 - 1)) for k in range(4)]
    alike = whole + [responses.encode(2.0 ** (61 * k)) for k in range(1, 16)]
    unlike = [responses.encode(k) for k in range(2, 2 + len(alike))]

    def pairs(parts):
        keys = itertools.islice(itertools.product(parts, repeat=3), 4_000)
        return [
            {"type": "tuple", "items": [{"type": "tuple", "items": key}, responses.encode(None)]}
            for key in map(list, keys)
        ]

    def judged(given):
        response = right_response()
        for answer in response["cases"].values():
            answer["outputs"] = {"output": {"type": "dict", "items": given}}
        started = time.process_time()
        verdict = judge(NAME, SEED, response)
        return time.process_time() - started, verdict

    judged(pairs(unlike))  # what is done once is done
    for most in (None, responses.MAX_ITEMS["dict"]):
        usual, _ = judged(pairs(unlike)[:most])
        took, verdict = judged(pairs(alike)[:most])
        assert took < 5 * usual + 0.1
        assert most or "dict" in verdict.reason


@pytest.mark.parametrize("kind", [list, tuple, dict])
def test_a_value_with_too_many_entries_is_not_handed_over(kind):
    most = responses.MAX_ITEMS[kind.__name__]
    entries = range(most + 1) if kind is not dict else ((n, n) for n in range(most + 1))
    with pytest.raises(responses.InvalidResponse, match=f"has {most + 1:,} entries"):
        responses.encode(kind(entries))
