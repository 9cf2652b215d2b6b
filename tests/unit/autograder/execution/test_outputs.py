"""What a kernel sent is made readable: for nbformat, for nbgrader, for a file in UTF-8."""

import json
import math

import nbformat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import determine_grade

from autograder.execution import outputs
from autograder.execution.outputs import (
    MAX_CELL_BYTES,
    MAX_RESPONSE_BYTES,
    MAX_RESPONSES,
    OutputQuota,
    clean,
)
from selfcheck import responses, verdicts

SURROGATE = "\ud800"


def stream(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def error(ename="ValueError", evalue="no", traceback=("line",)):
    return {
        "output_type": "error",
        "ename": ename,
        "evalue": evalue,
        "traceback": list(traceback),
    }


def shown(data, kind="display_data", **fields):
    return {"output_type": kind, "data": data, "metadata": {}} | fields


def result(text):
    return shown({"text/plain": text}, "execute_result", execution_count=1)


def through_a_file(cleaned):
    """The outputs after a notebook with them was written and read as nbgrader does it."""
    notebook = new_notebook(cells=[new_code_cell(outputs=nbformat.from_dict(cleaned))])
    nbformat.validate(notebook)
    json.dumps(notebook, allow_nan=False)
    written = nbformat.writes(notebook).encode("utf-8")
    return json.loads(json.dumps(nbformat.reads(written.decode(), 4).cells[0].outputs))


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


HONEST = [
    stream("a line\n"),
    stream("a warning", "stderr"),
    error(),
    result("0.5"),
    shown({"text/html": "<b>1</b>", "image/png": "aGk=", "application/json": {"a": [1, None]}}),
    shown({"image/png": "aGk="})
    | {"metadata": {"image/png": {"width": 20, "height": 10, "alt": "a line"}}},
]


def test_what_an_honest_kernel_sends_stays_as_it_is():
    assert clean(HONEST) == HONEST
    assert through_a_file(clean(HONEST)) == HONEST


def test_cleaning_twice_changes_nothing_more():
    wild = [stream("x" * MAX_CELL_BYTES), error(), shown({"text/plain": SURROGATE}), result("1.0")]
    assert clean(clean(wild)) == clean(wild)


@pytest.mark.parametrize(
    "output",
    [
        None,
        7,
        "text",
        [],
        {},
        {"output_type": ["stream"]},
        {"output_type": "pyout", "text": "old"},
        stream(7),
        stream(["a", 7]),
        stream("x", "stdin"),
        stream("x", ["stdout"]),
        shown(None),
        shown([responses.MIME]),
        shown({}),
        shown({"text/plain": 7, "text/html": {"a": 1}, "": "x", "no type": "x", "a/b\n": "x"}),
        shown({"application/json": nested(100_000)}),
        shown({verdicts.MIME: {"findings": []}}),
    ],
)
def test_what_is_no_output_is_dropped(output):
    assert clean([output, stream("next")]) == [stream("next")]


@pytest.mark.parametrize("value", [None, 7, "outputs", {"output_type": "stream"}, nested(100_000)])
def test_what_are_no_outputs_are_none(value):
    assert clean(value) == []


def test_an_error_stays_one_whatever_its_fields_are():
    for broken in (
        {"output_type": "error"},
        error(ename=7, evalue=None),
        error(traceback=[7, "line", ["line"]]),
        {"output_type": "error", "ename": "A", "evalue": "b", "traceback": {"0": 1}},
    ):
        (cleaned,) = clean([broken])
        assert cleaned["output_type"] == "error"
        assert through_a_file([cleaned]) == [cleaned]


def test_text_that_utf8_cannot_hold_can_be_written():
    cleaned = clean(
        [
            stream(f"a{SURROGATE}b"),
            error(evalue=SURROGATE, traceback=[SURROGATE]),
            shown({"text/plain": SURROGATE, "application/json": {SURROGATE: [SURROGATE]}}),
        ]
    )
    assert through_a_file(cleaned)[0] == stream("a?b")
    assert cleaned[2]["data"]["application/json"] == {"?": ["?"]}


def test_json_has_no_not_a_number_and_no_endless_integer():
    value = [math.nan, math.inf, -math.inf, 10**5000, 1.5, 2**80, True]
    (cleaned,) = clean([shown({"application/json": value})])
    assert cleaned["data"]["application/json"] == [None, None, None, None, 1.5, 2**80, True]
    through_a_file([cleaned])


def test_counts_and_metadata_are_what_nbformat_wants_or_nothing():
    for count in (True, -1, "1", 1.0, 10**30, [1]):
        (cleaned,) = clean([result("1") | {"execution_count": count, "transient": {"a": 1}}])
        assert cleaned["execution_count"] is None
        assert "transient" not in cleaned
        assert outputs.execution_count(count) is None
    sizes = {"image/png": {"width": '1" onload="x', "height": 7}, "filenames": {"image/png": "/x"}}
    for metadata in (sizes, sizes | {"image/jpeg": 7}):
        (cleaned,) = clean([shown({"image/png": "aGk="}) | {"metadata": metadata}])
        assert cleaned["metadata"] == {"image/png": {"height": 7}}


def response(values):
    return {
        "exercise": "attention.average_attention",
        "cases": {"plain": {"outputs": {"output": values}}},
    }


def test_the_largest_response_that_is_read_passes_unchanged():
    array = np.random.RandomState(0).bytes(responses.MAX_BYTES - 1_000)
    sent = response(responses.encode(np.frombuffer(array, np.uint8)))
    noise = stream("x" * (MAX_CELL_BYTES + 1))
    for cell in ([shown({responses.MIME: sent})], [noise, shown({responses.MIME: sent})]):
        assert clean(cell)[-1]["data"][responses.MIME] == sent


def test_the_largest_response_of_small_values_passes_unchanged():
    smallest = {"type": "array", "dtype": "float64", "shape": [], "data": "AAAAAAAA8D8="}
    lists = responses.MAX_BYTES // (136 * 5_000)
    values = [{"type": "list", "items": [smallest] * 5_000}] * lists
    sent = response({"type": "list", "items": values})
    assert clean([shown({responses.MIME: sent})])[0]["data"][responses.MIME] == sent


def test_a_response_that_is_too_large_or_too_deep_becomes_null():
    for values in ("x" * outputs.MAX_RESPONSE_BYTES, nested(100_000)):
        (cleaned,) = clean([shown({responses.MIME: response(values)})])
        assert cleaned["data"] == {responses.MIME: None}


def test_of_many_responses_two_are_left_which_is_one_too_many():
    cleaned = clean([shown({responses.MIME: response([])})] * 1_000)
    assert len(cleaned) == 2


def test_long_output_is_cut_and_says_so():
    cleaned = clean([stream("ä" * MAX_CELL_BYTES), stream("more"), shown({"text/plain": "more"})])
    assert [output["name"] for output in cleaned] == ["stdout", "stdout"]
    assert len(cleaned[0]["text"].encode()) <= MAX_CELL_BYTES
    assert "output cut: more than 2,000,000 bytes" in cleaned[1]["text"]


@pytest.mark.parametrize(
    "decides",
    [
        [error(evalue="x" * MAX_CELL_BYTES, traceback=["x" * MAX_CELL_BYTES])],
        [stream("y" * MAX_CELL_BYTES, "stderr")],
        [result("0.5")],
        [result("0.5"), error()],
        [],
    ],
)
@pytest.mark.parametrize(
    "noise", [[stream("x" * MAX_CELL_BYTES)], [stream("x")] * 3_000, [stream("x" * 700_000)] * 4]
)
def test_cutting_changes_no_grade(noise, decides):
    def grade(kept):
        marks = {"grade": True, "solution": False, "locked": True, "points": 2, "grade_id": "a"}
        cell = new_code_cell(outputs=nbformat.from_dict(kept), metadata={"nbgrader": marks})
        return determine_grade(cell)

    cleaned = clean([*noise, *decides])
    assert grade(through_a_file(cleaned)) == grade([*noise, *decides])
    assert len(json.dumps(cleaned)) < 2 * MAX_CELL_BYTES


def test_the_last_error_says_why_a_cell_ended_however_many_came_before():
    cleaned = clean(
        [stream("x" * MAX_CELL_BYTES), *[error()] * 10_000, error("KernelEnded", "died")]
    )
    assert cleaned[-1]["ename"] == "KernelEnded"
    assert len(cleaned) < 50


KEYS = ["output_type", "name", "text", "ename", "evalue", "traceback", "data", "metadata"]
KEYS += ["execution_count", "text/plain", "text/html", "image/png", "application/json"]
KEYS += ["application/vnd.x+json", responses.MIME, verdicts.MIME, "width", SURROGATE]
TEXTS = ["stream", "error", "display_data", "execute_result", "stdout", "stderr", "x", SURROGATE]
NUMBERS = [0, -1, 10**400, 10**5000, 1.5, math.nan, math.inf, True, False, None]


def anything(rng, depth=0):
    """Any value of Python's json module."""
    kind = rng.random()
    if depth > 5 or kind < 0.25:
        return rng.choice([*NUMBERS, *TEXTS])
    size = rng.randrange(4)
    if kind < 0.5:
        return [anything(rng, depth + 1) for _ in range(size)]
    return {rng.choice(KEYS): anything(rng, depth + 1) for _ in range(size)}


def nearly_an_output(rng):
    output = dict(rng.choice(HONEST))
    for _ in range(rng.randrange(3)):
        output[rng.choice(KEYS)] = anything(rng)
    return output


@given(rng=st.randoms(use_true_random=False))
def test_a_notebook_with_whatever_a_kernel_sends_can_be_written_and_read(rng):
    sent = [rng.choice([anything, nearly_an_output])(rng) for _ in range(rng.randrange(5))]
    cleaned = clean(sent)
    assert through_a_file(cleaned) == cleaned
    errors = [o for o in sent if isinstance(o, dict) and o.get("output_type") == "error"]
    assert sum(output["output_type"] == "error" for output in cleaned) == len(errors)


def test_a_cell_without_a_name_keeps_no_response():
    response = shown({responses.MIME: {"cases": {}}, "text/plain": "shown"})
    assert OutputQuota().clean([response], named=True) == [response]
    assert OutputQuota().clean([response], named=False) == [shown({"text/plain": "shown"})]


def test_the_responses_of_a_notebook_are_bounded_together():
    response = shown({responses.MIME: {"cases": "x" * (MAX_RESPONSE_BYTES - 1_000)}})
    quota = OutputQuota()
    cells = [quota.clean([response], named=True) for _ in range(8)]
    kept = sum(cell == [response] for cell in cells)
    assert kept == MAX_RESPONSES // MAX_RESPONSE_BYTES
    assert cells[kept:] == [[shown({responses.MIME: None})]] * (8 - kept)


def test_what_decides_over_points_is_left_when_there_is_no_more_room():
    quota = OutputQuota(outputs=5_000)
    (cut, note) = quota.clean([stream("x" * 10_000)], named=False)
    assert len(cut["text"]) == 4_000
    assert "all cells together" in note["text"]
    assert quota.clean([stream("more"), error()], named=False) == [note]
    left = quota.clean([stream("more"), error(evalue="y" * 10_000), result("0.5")], named=True)
    assert [output["output_type"] for output in left] == ["stream", "error", "execute_result"]
    assert left[0] == note
    assert sum(len(json.dumps(output)) for output in left) < 10_000
