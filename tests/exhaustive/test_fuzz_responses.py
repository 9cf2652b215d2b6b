"""Thousands of responses that no honest kernel sends: each is judged, and none gains by it."""

import base64
import copy
import itertools
import math
import time
from functools import cache

import nbformat
import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import determine_grade

from autograder.execution.job import Plan
from autograder.grading.judging_step import PLAN, JudgeResponses
from autograder.judging import judge as judging
from autograder.judging import solutions
from autograder.judging.marking import BY_CAUSE
from autograder.judging.mistakes import ComputedMistakes
from autograder.record import RESULT, NotebookResult
from course import COURSE
from selfcheck import responses
from selfcheck.verdicts import evaluate
from tests.support import taught
from tests.support.taught import judge

SEED = 20
POINTS = 100


@pytest.fixture(scope="module", autouse=True)
def one_reference():
    """The right outputs and the known mistakes are computed once; the judge asks for them often."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solutions, "expected", cache(solutions.expected))
        known = cache(lambda key, seed: ComputedMistakes(key, seed, BY_CAUSE))
        patch.setattr(judging, "ComputedMistakes", lambda key, seed, *_: known(key, seed))
        yield


def graded_cell(name, *shown):
    """A graded cell that showed these responses."""
    marks = {
        "schema_version": 3,
        "grade": True,
        "solution": False,
        "locked": True,
        "task": False,
        "grade_id": "test",
        "points": POINTS,
    }
    cell = new_code_cell(f'grade("{name}", answer)', metadata={"nbgrader": marks})
    cell.outputs = [
        {"output_type": "display_data", "data": {responses.MIME: response}, "metadata": {}}
        for response in shown
    ]
    return cell


def judge_cells(notebook):
    """The verdicts on a notebook's graded cells, which show them then."""
    resources = {PLAN: Plan({}, {}, seed=SEED, afresh="asked"), RESULT: NotebookResult()}
    JudgeResponses().preprocess(notebook, resources)
    return [result.judged.verdict for result in resources[RESULT].cells]


def judged(name, response):
    """The verdict on a response, through the cell, as nbgrader then reads and writes it."""
    notebook = new_notebook(cells=[graded_cell(name, response)])
    (cell,) = notebook.cells
    (verdict,) = judge_cells(notebook)
    nbformat.validate(notebook)
    nbformat.reads(nbformat.writes(notebook).encode("utf-8").decode(), as_version=4)
    assert not verdict.reason.startswith("unreadable response"), "the judge needed its guard"
    assert determine_grade(cell) == (pytest.approx(verdict.percent), POINTS)
    html = cell.outputs[0]["data"]["text/html"]
    assert len(html) < 100_000
    assert "\x1b" not in html
    return verdict


def handed_over(exercise, outputs):
    """Outputs by case as a response; None is a call that failed."""
    return {
        "exercise": exercise.name,
        "cases": {
            case: {"failure": {"kind": "ValueError", "message": "shapes", "line": 3}}
            if values is None
            else {
                "outputs": {
                    name: responses.encode(
                        x.astype(np.float32) if getattr(x, "dtype", "") == np.float64 else x
                    )
                    for name, x in values.items()
                }
            }
            for case, values in outputs.items()
        },
    }


@cache
def right(name):
    exercise = COURSE.get(name)
    expected = taught.expected(exercise, SEED)
    return handed_over(exercise, {case: entry.outputs for case, entry in expected.items()})


@cache
def starts(name):
    """The right response and those of every known mistake, each with the aspects that hold."""
    exercise = COURSE.get(name)
    mistakes = taught.known(exercise, SEED).single
    made = [right(name), *(handed_over(exercise, mistake.outputs) for mistake in mistakes)]
    return [(response, holding(judged(name, response))) for response in made]


def holding(verdict):
    return {finding.title for finding in verdict.findings if finding.passed}


@cache
def shapes_alone(name):
    """The aspects that hold for arrays of the right shapes in which no number is right."""
    exercise = COURSE.get(name)
    outputs = {
        case: {
            output: np.full_like(value, np.nan) if isinstance(value, np.ndarray) else None
            for output, value in entry.outputs.items()
        }
        for case, entry in taught.expected(exercise, SEED).items()
    }
    return holding(judged(name, handed_over(exercise, outputs)))


def nested(depth, inner):
    for _ in range(depth):
        inner = {"type": "list", "items": [inner]}
    return inner


def array(dtype, shape, data):
    data = base64.b64encode(data).decode()
    return {"type": "array", "dtype": dtype, "shape": shape, "data": data}


def foreign_values():
    """Values as a response holds them that no answer needs, some of which cannot be read."""
    number = {"type": "float", "value": "nan"}
    return [
        number,
        {"type": "int", "value": "9" * 100},
        {"type": "int", "value": "-9" + "0" * 18},
        {"type": "str", "value": "\ud800"},
        {"type": "str", "value": "\x1b[2J" + "x" * 9_000},
        {"type": "constant", "value": None},
        {"type": "constant", "value": True},
        {"type": "other", "name": "object\x1b[2J"},
        {"type": "other", "name": "\ud800"},
        {"type": "tuple", "items": [number] * 3},
        {"type": "list", "items": [number, {"type": "str", "value": "x" * 10_000}] * 20},
        {"type": "list", "items": [array("float32", [2], b"12345678")] * 2},
        {"type": "list", "items": [array("float32", [2], b"12345678"), array("int8", [1], b"1")]},
        {"type": "dict", "items": [{"type": "tuple", "items": [number, number]}] * 2},
        {"type": "dict", "items": [{"type": "tuple", "items": [array("int8", [1], b"1")] * 2}]},
        {
            "type": "dict",
            "items": [{"type": "tuple", "items": [{"type": "other", "name": "x"}, number]}],
        },
        {"type": "dict", "items": [number]},
        nested(3, number),
        nested(200, number),
        array("float64", [], np.float64("inf").tobytes()),
        array("float16", [2], np.float16([65504, -65504]).tobytes()),
        array("float64", [2, 2], np.full(4, -1e308).tobytes()),
        array("int64", [3], np.full(3, -(2**63)).tobytes()),
        array("uint64", [1, 1], b"\xff" * 8),
        array("bool", [2], b"\xff\x02"),
        array("float32", [0, 4_000_000], b""),
        array("float32", [0, 10**9], b""),
        array("float32", [0] + [4_000_000] * 7, b""),
        array("float32", [-1], b""),
        array("float32", [-1, -1], b"1234"),
        array("float32", [True], b"1234"),
        array("float32", [1.0], b"1234"),
        array("float128", [1], b"1" * 16),
    ]


def foreign_json():
    """What JSON can hold."""
    return [
        *(None, True, False, 7, -1, 2**70, 10**5000, 1.5, math.nan, math.inf),
        *("text", "\ud800", "x" * 100_000, "A" * 8, "float16", "bool", "dict"),
        *([[1]], [None], nested(1_200, None)),
        *({}, {"type": "array"}, {"outputs": []}, {"failure": {}}),
        *({"outputs": {}}, {"outputs": {"output": None}}),
        {"kind": "E", "message": "\ud800", "line": True},
    ]


def failures():
    """Cases that failed, or say nothing."""
    return [
        {"failure": {"kind": "", "message": ""}},
        {"failure": {"kind": "\x1b", "message": "\n"}},
        {"failure": {"kind": "E" * 10_000, "message": "\ud800\x1b" * 10_000, "line": True}},
        {"failure": {"kind": "NotImplementedError", "message": "", "line": 10**30}},
        {"outputs": {}},
        {"outputs": {"extra": {"type": "constant", "value": None}}},
    ]


def places(value, path=()):
    """The paths to all values inside a JSON value."""
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            yield from places(item, (*path, key))


def typed(response):
    """The paths to all values of a response that say what they are."""
    return [
        path
        for path in places(response)
        if isinstance(value := at(response, path), dict) and "type" in value
    ]


def at(value, path):
    for key in path:
        value = value[key]
    return value


def break_value(rng, response):
    """Put another value in the place of one."""
    *path, key = rng.choice(typed(response))
    at(response, path)[key] = rng.choice(foreign_values())


def break_format(rng, response):
    """Put something anywhere: right values it cannot make."""
    *path, key = rng.choice(list(places(response)))
    holder = at(response, path)
    if rng.random() < 0.8:
        holder[key] = rng.choice(foreign_json())
    elif isinstance(holder, dict):
        key = rng.choice(["type", "items", "failure", "extra", "shape", 7])
        holder[key] = rng.choice(foreign_json())
    else:
        holder.append(rng.choice(foreign_values()))


def break_outputs(rng, response):
    """Put one value in the place of an output, or of all, in all cases."""
    value = rng.choice(foreign_values())
    for case in response["cases"].values():
        for name in list(case.get("outputs", {}))[: rng.choice([1, 9])]:
            case["outputs"][name] = value


def break_case(rng, response):
    """Let cases fail, and send some that nobody asked for."""
    cases = response["cases"]
    for name in rng.sample(list(cases), rng.choice([1, len(cases)])):
        cases[name] = rng.choice(failures())
    cases[rng.choice(["extra", "\ud800", "x" * 10_000])] = rng.choice(foreign_json())


def break_numbers(rng, response):
    """Change bytes of an array, or what its bytes mean."""
    values = [at(response, path) for path in typed(response)]
    changed = rng.choice([value for value in values if value["type"] == "array"])
    raw = bytearray(base64.b64decode(changed["data"]))
    way = rng.randrange(3)
    if way == 0 and raw:
        raw[rng.randrange(len(raw))] ^= 0xFF
    elif way == 1:
        raw = raw[: rng.randrange(len(raw) + 1)]
    else:
        changed["dtype"] = rng.choice(["int32", "uint8", "float16", "bool", "object", "<f4", None])
    changed["data"] = base64.b64encode(raw).decode() + rng.choice(["", "", "=", "é", " "])


def rearrange(rng, response):
    """Use what is there in another way: of right answers only, since it may mend a wrong one."""
    *path, key = rng.choice(list(places(response)))
    holder = at(response, path)
    if isinstance(holder, list):
        way = rng.randrange(3)
        if way == 0:
            del holder[key]
        elif way == 1:
            holder.insert(0, holder[key])
        else:
            rng.shuffle(holder)
    elif rng.random() < 0.5:
        del holder[key]
    else:
        holder[key] = copy.deepcopy(at(response, rng.choice(list(places(response)))))


BREAK = [break_value, break_value, break_outputs, break_case, break_numbers, break_format]


@pytest.mark.parametrize("name", COURSE.names())
@given(rng=st.randoms(use_true_random=False))
def test_a_response_that_was_tampered_with_is_judged_and_gains_nothing(name, rng):
    start, held = rng.choice([starts(name)[0], *starts(name)])
    response = copy.deepcopy(start)
    ways = [*BREAK, rearrange] if start is right(name) else BREAK
    for _ in range(rng.choice([1, 1, 1, 3])):
        try:
            rng.choice(ways)(rng, response)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError):
            break  # what an earlier change made cannot be changed in this way
    verdict = judged(name, response)
    event("refused" if verdict.reason else "judged")
    assert holding(verdict) <= held | shapes_alone(name)


def test_right_and_wrong_responses_earn_what_they_should_before_they_are_tampered_with():
    for name in COURSE.names():
        (_, full), *others = starts(name)
        assert full == {aspect.title for aspect in COURSE.get(name).aspects}
        assert all(held < full for _, held in others)
        assert len(shapes_alone(name)) <= 2


@pytest.mark.parametrize("name", COURSE.names())
@pytest.mark.parametrize("failure", range(len(failures())))
def test_a_failure_in_every_case_earns_nothing_however_little_it_says(name, failure):
    cases = dict.fromkeys(right(name)["cases"], failures()[failure])
    response = {"exercise": name, "cases": cases}
    assert judged(name, response).percent == 0


@pytest.mark.parametrize("name", COURSE.names())
@pytest.mark.parametrize("value", range(len(foreign_values())))
def test_a_foreign_value_for_every_output_earns_what_its_shape_does_at_most(name, value):
    response = copy.deepcopy(right(name))
    for case in response["cases"].values():
        case["outputs"] = dict.fromkeys(case["outputs"], foreign_values()[value])
    assert holding(judged(name, response)) <= shapes_alone(name)


WITH_SEVERAL_OUTPUTS = [name for name in COURSE.names() if len(COURSE.get(name).axes) > 1]


def changed(name, change):
    """The right response with every case's outputs changed in place."""
    response = copy.deepcopy(right(name))
    for case in response["cases"].values():
        change(case["outputs"])
    return response


@cache
def readable_values():
    """The foreign values that a response may hold in all of its cases, be they twenty."""
    name = "documents.overlapping_chunks"
    all_values = [
        (value, changed(name, lambda given: given.update(chunks=value)))  # noqa: B023
        for value in foreign_values()
    ]
    return [value for value, response in all_values if not judge(name, SEED, response).reason]


@pytest.fixture
def known_cases(monkeypatch):
    """Cases drawn once, and no pairs of mistakes: for tests that judge one exercise often."""
    monkeypatch.setattr(ComputedMistakes, "pairs", ())
    for name in WITH_SEVERAL_OUTPUTS:
        kind = type(COURSE.get(name))
        monkeypatch.setattr(kind, "cases", cache(kind.cases))


@pytest.mark.parametrize("name", WITH_SEVERAL_OUTPUTS)
def test_a_foreign_value_for_one_output_is_judged_like_any_other(name, known_cases):
    for output in COURSE.get(name).axes.keys() - {"ignored"}:  # which only tells two mistakes apart
        for value in readable_values():
            verdict = judge(name, SEED, changed(name, lambda given: given.update({output: value})))  # noqa: B023
            assert not verdict.reason
            assert verdict.percent < 100


@pytest.mark.parametrize("name", WITH_SEVERAL_OUTPUTS)
def test_leaving_outputs_out_earns_no_more_than_handing_in_wrong_ones(name, known_cases):
    nothing = {"type": "constant", "value": None}
    outputs = COURSE.get(name).axes
    for count in range(1, len(outputs)):
        for left_out in itertools.combinations(outputs, count):
            if "output" not in left_out and {"separated", "combined"} <= {*left_out}:
                continue  # a layer without these parts shows by its output where heads look
            if name == "documents.relative_position_self_attention" and "weights" in left_out:
                continue  # a layer need not keep them
            without, wrong = (
                holding(judge(name, SEED, response))
                for response in (
                    changed(name, lambda given: [given.pop(one, None) for one in left_out]),  # noqa: B023
                    changed(name, lambda given: given.update(dict.fromkeys(left_out, nothing))),  # noqa: B023
                )
            )
            assert without <= wrong


def seconds_to_judge(name, value):
    response = changed(name, lambda given: given.update(dict.fromkeys(given, value)))
    start = time.process_time()
    judged(name, response)
    return time.process_time() - start


@pytest.mark.parametrize("kind", ["arrays", "lists", "words", "keys"])
def test_what_a_response_holds_does_not_make_the_judge_slow(kind):
    name = "preprocessing.bag_of_words"

    def value(size):
        number = {"type": "int", "value": "1"}
        equal = [{"type": "float", "value": repr(2.0 ** (61 * power))} for power in range(16)]
        return {
            "arrays": lambda: array("int8", [size * 40], bytes(size * 40)),
            "lists": lambda: {"type": "list", "items": [*[number] * size, nested(1, number)]},
            "words": lambda: {
                "type": "list",
                "items": [{"type": "str", "value": f"{place}"} for place in range(size)],
            },
            "keys": lambda: {
                "type": "dict",
                "items": [
                    {"type": "tuple", "items": [{"type": "tuple", "items": [*keys]}, number]}
                    for keys in itertools.islice(itertools.product(equal, repeat=3), size)
                ],
            },
        }[kind]()

    few = min(seconds_to_judge(name, value(100)) for _ in range(2))
    assert seconds_to_judge(name, value(1_600)) < 16 * (few + 0.1)


@pytest.mark.parametrize("error", [TypeError("no"), RecursionError("deep")])
def test_an_error_while_a_response_is_examined_is_the_responses_zero(error, monkeypatch, caplog):
    def fail(exercise, seen, *known):
        if any(each.received["stems"] is None for each in seen.values()):
            raise error
        return evaluate(exercise, seen, *known)

    name = "preprocessing.stem"
    monkeypatch.setattr(judging, "evaluate", fail)
    nothing = changed(name, lambda given: given.update(stems={"type": "constant", "value": None}))
    verdict = judge(name, SEED, nothing)
    assert (verdict.percent, verdict.findings) == (0, ())
    assert verdict.reason == f"unreadable response: reading it failed with {type(error).__name__}"
    assert "a response to preprocessing.stem could not be examined" in caplog.text


@pytest.mark.parametrize("failing", ["expected", "mistakes", "pairs", "memory"])
def test_an_error_that_no_response_has_a_part_in_is_the_graders(failing, monkeypatch):
    def fail(*_):
        raise MemoryError if failing == "memory" else ZeroDivisionError

    def fail_later(*_):
        yield fail()

    name = "preprocessing.stem"
    wrong = changed(name, lambda given: given.update(stems={"type": "constant", "value": None}))
    module, function, replacement = {
        "expected": (solutions, "expected", fail),
        "mistakes": (ComputedMistakes, "single", property(fail)),
        "pairs": (ComputedMistakes, "pairs", property(fail_later)),
        "memory": (judging, "evaluate", fail),
    }[failing]
    monkeypatch.setattr(module, function, replacement)
    with pytest.raises(MemoryError if failing == "memory" else ZeroDivisionError):
        judge(name, SEED, wrong)


def test_a_response_counts_in_the_cell_of_its_own_exercise_only():
    name, other = "preprocessing.stem", "preprocessing.tokenize"
    cells = [graded_cell(name), graded_cell(other, right(name)), new_code_cell("answer")]
    cells[2].outputs = graded_cell(name, right(name)).outputs
    verdicts = judge_cells(new_notebook(cells=cells))
    assert [verdict.percent for verdict in verdicts] == [0, 0]
    assert "returned no answer" in verdicts[0].reason
    assert f"answers '{name}'" in verdicts[1].reason
