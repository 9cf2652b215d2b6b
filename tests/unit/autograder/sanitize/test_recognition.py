"""Which file is which notebook of a lesson."""

import pytest

from autograder.sanitize.recognition import recognise
from tests.support.every_kind import LESSON


def test_a_notebook_alone_and_under_its_name_is_not_read_for_that():
    def read():
        pytest.fail("it was read")

    name = f"{LESSON}.ipynb"
    assert recognise({name: read}, {name: {"double"}}, dict).files == {name: [name]}
