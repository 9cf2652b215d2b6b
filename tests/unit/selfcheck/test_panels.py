"""The picture beside a check's explanation."""

import base64
import re

import numpy as np
import pytest

from selfcheck.heat_maps import received_and_expected
from selfcheck.panels import first_wrong_matrix, picture
from tests.unit.selfcheck.test_diagnosis import observed, of_output

NAME = "attention.scaled_dot_product_attention"


def comparison(change):
    return first_wrong_matrix(*observed(NAME, change))


def test_right_outputs_need_no_picture():
    assert comparison(lambda outputs, case: outputs) is None


def test_the_matrix_with_the_most_wrong_entries_is_shown():
    def wrong_in_the_second_sample(outputs, case):
        weights = outputs["weights"].copy()
        weights[1, 0, :2] += 1
        weights[0, 0, 0] += 1
        return outputs | {"weights": weights}

    shown = comparison(wrong_in_the_second_sample)
    assert shown.where == "weights in the case “plain”, batch 1"
    assert shown.axes == ("queries", "keys")
    assert np.argwhere(shown.wrong).tolist() == [[0, 0], [0, 1]]
    np.testing.assert_allclose((shown.received - shown.expected)[shown.wrong], 1)


def test_the_cause_is_shown_before_the_result():
    def both(outputs, case):
        return {name: 2 * values for name, values in outputs.items()}

    assert comparison(both).where.startswith("weights in the case")


@pytest.mark.parametrize(
    "change",
    [
        lambda outputs, case: outputs | {"weights": outputs["weights"][..., :1]},
        lambda outputs, case: outputs | {"weights": None},
    ],
    ids=["another shape", "nothing"],
)
def test_what_is_no_matrix_of_that_shape_has_no_picture(change):
    assert comparison(change) is None


def test_a_picture_holds_its_own_data_and_says_in_words_what_it_shows():
    html = picture(comparison(of_output("weights", lambda x: np.where(x > 0.5, np.nan, x))))
    (data,) = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
    assert base64.b64decode(data).startswith(b"\x89PNG")
    (words,) = re.findall('alt="([^"]+)"', html)
    assert re.fullmatch(
        r"Heat maps of weights in the case “plain”, batch \d, received and expected: "
        r"\d+ of \d+ numbers differ\.",
        words,
    )


def test_where_any_finite_number_is_right_none_is_shown():
    def lost(outputs, case):
        if "padded" not in case.name:
            return outputs
        return {name: np.full_like(values, np.nan) for name, values in outputs.items()}

    shown = comparison(lost)
    assert shown.where == "weights in the case “padded sample”, batch 0"
    assert np.isnan(shown.expected).all()
    figure = received_and_expected(
        shown.received, shown.expected, shown.wrong, axis_labels=shown.axes
    )
    left, right = figure.axes[:2]
    for ax, sign in ((left, "×"), (right, "any")):
        assert [text.get_text() for text in ax.texts] == [sign] * shown.expected.size


def test_wrong_entries_are_framed_and_what_is_not_finite_is_crossed_out():
    expected = np.arange(12.0).reshape(3, 4)
    received = expected.copy()
    received[0, 1], received[2, 2] = 20, np.nan
    wrong = received != expected
    figure = received_and_expected(received, expected, wrong, axis_labels=("row", "column"))
    left, right = figure.axes[:2]
    corners = {(patch.get_x() + 0.46, patch.get_y() + 0.46) for patch in left.patches}
    assert {(round(x), round(y)) for x, y in corners} == {(1, 0), (2, 2)}
    assert not right.patches
    assert [(text.get_position(), text.get_text()) for text in left.texts] == [((2, 2), "×")]


def test_where_nearly_all_is_wrong_nothing_is_framed():
    expected = np.eye(3)
    figure = received_and_expected(
        expected + 1, expected, np.ones((3, 3)), axis_labels=("row", "column")
    )
    assert not figure.axes[0].patches


def test_only_matrices_of_one_shape_are_compared():
    with pytest.raises(ValueError, match=r"same shape.*\(1, 2\), \(2, 1\)"):
        received_and_expected([[1, 2]], [[1], [2]], [[True, True]], axis_labels=("a", "b"))
