"""How sure it is that the judge is hardly ever wrong."""

import pytest
from scipy.stats import binomtest

from autograder.audit.reliability import Reliability, read_reliability, write_reliability


@pytest.mark.parametrize(("judged", "errors"), [(1, 0), (9, 9), (60, 0), (60, 1), (5000, 7)])
def test_the_most_errors_are_clopper_and_pearsons(judged, errors):
    interval = binomtest(errors, judged, alternative="less").proportion_ci(0.95, "exact")
    assert Reliability(judged, errors).most == pytest.approx(interval.high, abs=2e-6)


def test_what_an_audit_found_is_read_again(tmp_path):
    found = {"averages.weighted_mean": Reliability(80, 0), "averages.median": Reliability(7, 2)}
    assert read_reliability(tmp_path) == {}
    write_reliability(tmp_path, found)
    assert read_reliability(tmp_path) == found
    assert str(found["averages.weighted_mean"]) == "0 of 80 (at most 3.7 %)"
