"""A simulated student's file: whole answers, and what differs from the lesson's own solution."""

import pytest

from autograder.errors import CourseError
from autograder.simulate import read_answers

SOLUTION = '''\
class Gate(layers.Layer):
    """Opens and closes."""

    def __init__(self, size):
        super().__init__()
        self.linear = layers.Dense(size)

    def call(self, inputs):
        ### BEGIN SOLUTION
        opened = ops.sigmoid(self.linear(inputs))
        ### END SOLUTION
        return opened * inputs


@keras.saving.register_keras_serializable()
def build_gate(size):
    # One layer is enough.
    return keras.Sequential([Gate(size)])
'''


def answered(tmp_path, cell, mark='changes="gate"'):
    path = tmp_path / "ada.py"
    path.write_text(f"# %% {mark}\n{cell}")
    return read_answers(path, {"gate": SOLUTION}).cells["gate"]


def test_a_method_takes_the_place_of_the_solutions(tmp_path):
    assert answered(
        tmp_path,
        "class Gate(layers.Layer):\n"
        "    def call(self, inputs):\n"
        "        # Forgets to open.\n"
        "        return self.linear(inputs)\n",
    ) == (
        "class Gate(layers.Layer):\n"
        '    """Opens and closes."""\n\n'
        "    def __init__(self, size):\n"
        "        super().__init__()\n"
        "        self.linear = layers.Dense(size)\n\n"
        "    def call(self, inputs):\n"
        "        # Forgets to open.\n"
        "        return self.linear(inputs)\n\n\n"
        "@keras.saving.register_keras_serializable()\n"
        "def build_gate(size):\n"
        "    # One layer is enough.\n"
        "    return keras.Sequential([Gate(size)])"
    )


def test_functions_and_methods_are_replaced_whole_whatever_their_order_and_length(tmp_path):
    function = (
        "@once\n@keras.saving.register_keras_serializable()\ndef build_gate(n):\n    return n"
    )
    methods = (
        "class Gate(layers.Layer):\n"
        "    def call(self, inputs): return inputs\n\n"
        "    def __init__(self, size):\n"
        "        super().__init__()"
    )
    changed = answered(tmp_path, f"{function}\n\n\n{methods}\n")
    assert changed.splitlines() == [
        "class Gate(layers.Layer):",
        '    """Opens and closes."""',
        "",
        "    def __init__(self, size):",
        "        super().__init__()",
        "",
        "    def call(self, inputs): return inputs",
        "",
        "",
        *function.splitlines(),
    ]


def test_a_whole_answer_stays_as_it_is(tmp_path):
    cell = "class Gate(layers.Layer):\n    pass"
    assert answered(tmp_path, cell, 'grade_id="gate"') == cell


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("def built_gate(size):\n    pass", "the solution has no 'built_gate'"),
        (
            "class Gate(layers.Layer):\n    def cal(self, inputs):\n        pass",
            r"the solution has no 'class Gate\(layers\.Layer\): cal'",
        ),
        (
            "class Gate(keras.Model):\n    def call(self, inputs):\n        pass",
            r"the solution has no 'class Gate\(keras\.Model\): call'",
        ),
        ("import math", "the solution has no 'import math'"),
        ("def build_gate(size)\n    pass", r"expected ':' \(.*line 1\)"),
    ],
)
def test_changes_of_what_the_solution_does_not_have_are_refused(tmp_path, cell, said):
    with pytest.raises(CourseError, match=rf'ada\.py: changes="gate": {said}'):
        answered(tmp_path, cell)
