"""Assignments for Otter-Grader become lessons: right answers earn what they earn there."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from autograder.cells import grade_id
from autograder.course_folder import CourseFolder
from tests.conftest import flat
from tests.kernels.test_plain_courses import CONFIGURED

LESSON = "tides"


def code(source, value=None, printed=None, ran=True, outputs=()):
    """A code cell as it's saved after it ran, with what it left."""
    left = list(outputs)
    if printed:
        left.append(new_output("stream", name="stdout", text=printed))
    if value:
        left.append(new_output("execute_result", data={"text/plain": value}, execution_count=1))
    return new_code_cell(source, outputs=left, execution_count=1 if ran else None)


def block(kind, *cells, config=""):
    return [new_raw_cell(f"# BEGIN {kind}\n{config}"), *cells, new_raw_cell(f"# END {kind}")]


def question(config, *, text="What to do.", prompt=(), solution=(), tests=()):
    parts = [new_markdown_cell(text)] if text else []
    for kind, cells in (("PROMPT", prompt), ("SOLUTION", solution), ("TESTS", tests)):
        parts += block(kind, *cells) if cells else []
    return block("QUESTION", *parts, config=config)


def master(*cells, config="name: tides", **metadata):
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    first = [new_raw_cell(f"# ASSIGNMENT CONFIG\n{config}")] if config else []
    return new_notebook(cells=[*first, *cells], metadata={"kernelspec": spec} | metadata)


HEIGHTS = question(
    "name: q1\npoints: 3",
    solution=[
        code(
            "def mean(heights):\n"
            "    '''The mean height.'''\n"
            "    total = sum(heights) # SOLUTION NO PROMPT\n"
            "    return total / len(heights) # SOLUTION\n"
            "\n"
            "heights = [2, 4, 9]\n"
            "heights = heights + [5] # SOLUTION\n"
            "low, high = min(heights), max(heights)  # SOLUTION\n"
            "print(low)",
            printed="2\n",
        )
    ],
    tests=[
        code("# whole numbers\nmean([1, 3]) == 2", "True"),
        code("# HIDDEN\nmean([1, 2, 2])", "1.6666666666666667"),
        code(
            '""" # BEGIN TEST CONFIG\npoints: 0.5\nhidden: true\n'
            'failure_message: Was 5 added?\n""" # END TEST CONFIG\nheights',
            "[2, 4, 9, 5]",
        ),
        code("assert high > low"),
    ],
)
LISTED = question(
    "name: q2\npoints: [0, 2]",
    solution=[
        code(
            "for hour in range(2):\n"
            "    # BEGIN SOLUTION NO PROMPT\n"
            "    if hour:\n"
            "\n"
            "        print('flood')\n"
            "    # END SOLUTION\n"
            '    """ # BEGIN PROMPT\n'
            "    # Print on every hour but the first.\n"
            "    print(...)\n"
            '    """; # END PROMPT\n'
            "def hours(name):\n"
            "    # BEGIN SOLUTION\n"
            "    ''' # BEGIN PROMPT\n"
            "    ''' # END PROMPT\n"
            "    print(name, 'at', 6)\n"
            "    # END SOLUTION"
        ),
        code("hours('ebb')", printed="ebb at 6\n"),
    ],
    tests=[
        code("for name in ('ebb', 'slack'):\n    hours(name)", None, "ebb at 6\nslack at 6\n"),
        code("# Hidden: another name\nhours('neap')", printed="neap at 6\n"),
    ],
)
EACH = question(
    "name: q 3\npoints:\n  each: 1",
    prompt=[code("# Call it moon.\nmoon = ...")],
    solution=[code("# BEGIN SOLUTION NO PROMPT\nmoon = 'full'\n# END SOLUTION")],
    tests=[
        code(
            "def test_moon(moon, env):\n    assert moon == env['moon'] == 'full'\n\n"
            "test_moon(moon, globals())  # IGNORE"
        ),
        code("def test_case(*, moon):\n    assert moon.islower()\n\ntest_case(moon=moon)"),
        code("moon.isalpha()", "True"),
        code("moon.isdigit()", "False"),
        code("import math\nmath.isclose(1, 2) or print(end=''); len(moon)", "4"),
        code("{'full': print}[moon](end='')"),
    ],
)
ALL_OR_NOTHING = question(
    "name: q4\nall_or_nothing: true\npoints: 2",
    solution=[code("springs = 2 # SOLUTION")],
    tests=[code("springs > 1", "True"), code("# HIDDEN\nsprings == 2", "True")],
)
BY_HAND = [
    *question(
        "name: q5\nmanual: true\npoints: 2\nexport: true",
        prompt=[new_markdown_cell("| cause | effect |")],
        solution=[new_markdown_cell("**SOLUTION**: the moon pulls the seas.")],
    ),
    *question(
        "name: q6\nmanual: true\npoints: 3",
        solution=[
            new_markdown_cell("Neaps are in between."),
            code("# BEGIN SOLUTION\ndraw = print\n# END SOLUTION"),
        ],
    ),
]
SHARED = question(
    "name: q7",
    text="",
    tests=[code(f"# hidden\nhigh > {number}", "True") for number in (1, 5, 8)],
)
OTHERS = [
    code("import otter\nimport math\ngrader = otter.Notebook('tides.ipynb')"),
    code("grader.check_all()"),
    code("## Ignore ##\nonly_for_teachers = 1"),
    new_markdown_cell("# Ignore\nOnly for teachers."),
    code("kept = 1\nleft_out = 2 # IGNORE\n# BEGIN IGNORE\nleft_out = 3\n# END IGNORE"),
]
TIDES = master(
    *OTHERS,
    *HEIGHTS,
    *LISTED,
    *EACH,
    *ALL_OR_NOTHING,
    *BY_HAND,
    *SHARED,
    config="files:\n  - levels.csv\n  - tools/units.py\nautograder_files: [secret.csv]\n",
)
WORTH = {
    "test_q1": 2.5 / 3,
    "test_q1_2": 2.5 / 3,
    "test_q1_3": 0.5,
    "test_q1_4": 2.5 / 3,
    "test_q2": 0,
    "test_q2_2": 2,
    **dict.fromkeys(["test_q_3", *(f"test_q_3_{number}" for number in range(2, 7))], 1),
    "test_q4": 2,
    **dict.fromkeys(["test_q7", "test_q7_2", "test_q7_3"], 1 / 3),
}
"""What Otter gives: three points for q1, of which a test has half a point and the others share the
rest; one point for q7, as nobody says how many."""

HALF = {
    "q1": "def mean(heights):\n    return sum(heights) // len(heights)\nheights = [2, 4, 9]\n"
    "low, high = 2, 7",
    "q2": "def hours(name):\n    print(name, 'at', 6)\n    return name",
    "q_3": "moon = 'FULL'",
    "q4": "springs = 3",
}
EARNED_BY_HALF = ["test_q1", "test_q1_4", "test_q_3_3", "test_q_3_4", "test_q_3_5"]
EARNED_BY_HALF += ["test_q7", "test_q7_2"]
"""Otter-Grader 7.0.0 gives the same for these three, question by question."""


def write_assignment(folder, notebook=TIDES, name=LESSON):
    """What a teacher has: the notebook, and what is beside it."""
    (folder / "tools").mkdir(parents=True)
    (folder / "levels.csv").write_text("1,2\n")
    (folder / "secret.csv").write_text("3,4\n")
    (folder / "tools" / "units.py").write_text("METRE = 1\n")
    nbformat.write(notebook, folder / f"{name}.ipynb")
    return folder / f"{name}.ipynb"


def begin(folder):
    folder.mkdir()
    (folder / "nbgrader_config.py").write_text(CONFIGURED)
    return CourseFolder(folder)


@pytest.fixture
def course(tmp_path):
    return begin(tmp_path / "course")


@pytest.fixture
def imported(course, tmp_path, autograder):
    """Import a notebook: what was said, and the lesson's notebook."""

    def go(notebook):
        path = write_assignment(tmp_path / "otter", notebook)
        done = autograder("import", "otter", str(path), course=course.root)
        assert done.code == 0, done.err
        return flat(done.out), nbformat.read(course.source(LESSON), as_version=4)

    return go


@pytest.fixture
def refused(course, tmp_path, autograder):
    """What is said of a notebook that can't be imported."""

    def go(notebook, name=LESSON):
        path = write_assignment(tmp_path / "otter", notebook, name)
        done = autograder("import", "otter", str(path), course=course.root)
        assert done.code == 2
        assert not course.folder("source").exists()
        return flat(done.err)

    return go


def sources(notebook):
    return {grade_id(cell): cell.source for cell in notebook.cells if grade_id(cell)}


# --- graded ---------------------------------------------------------------------------------------


# --- what can't be converted ----------------------------------------------------------------------


def test_what_is_left_out_is_said_a_line_each(imported):
    figure = new_output("display_data", data={"text/plain": "<Figure>"})
    said, lesson = imported(
        master(
            *question(
                "name: plots\npoints: 4\ncheck_cell: false",
                solution=[
                    code("seed(1) # SEED\nx = 1 # SOLUTION"),
                    new_markdown_cell("Why one."),
                    code('""" # BEGIN PLUGIN\nplugin: a.b\n""" # END PLUGIN'),
                    new_raw_cell("# PLUGIN\nplugin: a.b"),
                ],
                tests=[
                    code("plot(x)", outputs=[figure]),
                    code("%time x"),
                    code("x", outputs=[new_output("error", ename="E", evalue="", traceback=[])]),
                    code(
                        "''' # BEGIN TEST CONFIG\nsuccess_message: Good.\nfailure_message: Oh.\n"
                        "''' # END TEST CONFIG\nassert x",
                        outputs=[new_output("stream", name="stderr", text="Warning")],
                    ),
                ],
            ),
            *question("name: open", solution=[code("y = 2 # SOLUTION")]),
            *question("name: shown", tests=[code("plot(1)", outputs=[figure])]),
            *question("name: bare", solution=[code("z = 3")], tests=[code("z == 3", "True")]),
            *question(
                "name: broken",
                solution=[code("w = [\n    4, # SOLUTION\n]")],
                tests=[code("w", "[4]"), code("not w or None")],
            ),
            *question(
                "name: hand\nmanual: true",
                solution=[code("v = 5 # SOLUTION")],
                tests=[code("v", "5")],
            ),
            config="generate: {seed: 42, points: 10}\nplugins: [a.b]",
        )
    )
    for line in (
        "plots: test 1 (1 point) showed a picture in the saved notebook, and is left out.",
        "plots: test 2 (1 point) isn't plain Python, and is left out.",
        "plots: test 3 (1 point) stopped with an error in the saved notebook, and is left out.",
        "plots: test 4 (1 point) wrote to stderr, and nbgrader gives no points for that.",
        "plots: the Markdown in its solution is left out.",
        "plots: students see its public tests despite check_cell.",
        "shown has no test left: it earns nothing.",
        "open has no tests and isn't graded by hand: it earns nothing.",
        "bare: no line of its solution's code is marked # SOLUTION, so students get none of it; "
        "Otter would give them all of it.",
        "broken: students get none of its code, because part of it isn't Python.",
        "hand is graded by hand: its tests earn nothing.",
        "generate, in the assignment's configuration, isn't used.",
        "plugins, in the assignment's configuration, isn't used.",
        "Left out: plugins (2).",
        "Left out: tests' messages (2).",
        "plots: students see its random seed (# SEED).",
        "6 questions, 3 points: 3 by machine, 0 by hand (hand).",
    ):
        assert line in said
    assert sources(lesson)["test_broken_2"] == "assert (not w or None) is None"
    assert sources(lesson)["broken"] == "### BEGIN SOLUTION\nw = [\n    4,\n]\n### END SOLUTION"


def test_functions_that_raise_are_called(imported):
    said, lesson = imported(
        master(
            *question(
                "name: q1\npoints: 2",
                solution=[code("x = 1 # SOLUTION")],
                tests=[
                    code("def holds(x):\n    assert x == 1\n\nholds(1)", "None"),
                    code("x == 1", "True"),
                ],
            ),
            config="tests:\n  ok_format: false",
        )
    )
    assert sources(lesson)["test_q1"] == "def holds(x):\n    assert x == 1\n\nholds(x=x)"
    assert "q1: test 2 (1 point) isn't a single function, and is left out." in said


def test_a_function_marked_by_otter_needs_nothing_of_otters(imported):
    marked = "from otter.test_files import test_case\n\n@test_case(points=2, hidden=False)\n"
    _, lesson = imported(
        master(
            *question(
                "name: q1",
                solution=[code("x = 1 # SOLUTION")],
                tests=[code(f"{marked}def test_x(x):\n    assert x == 1")],
            ),
            config="tests:\n  ok_format: false",
        )
    )
    assert sources(lesson)["test_q1"] == "def test_x(x):\n    assert x == 1\n\ntest_x(x=x)"
    assert lesson.cells[-1].metadata.nbgrader.points == 2


def test_a_students_own_repr_does_not_change_what_a_test_sees(imported):
    _, lesson = imported(
        master(
            *question(
                "name: q1",
                solution=[code("x = 'a' # SOLUTION")],
                tests=[code("x", "'a'"), code("x.islower()", "True")],
            )
        )
    )
    for name, source in sources(lesson).items():
        if name.startswith("test_"):
            exec(source, {"x": "a", "repr": len, "str": len})


def test_a_line_that_prints_and_shows_a_value_is_compared_as_a_whole(imported):
    shows = code("y = 2 * x\nprint(x); y", "2", printed="1\n")
    _, lesson = imported(
        master(*question("name: q1", solution=[code("x = 1 # SOLUTION")], tests=[shows]))
    )
    exec(sources(lesson)["test_q1"], {"x": 1})
    with pytest.raises(AssertionError):
        exec(sources(lesson)["test_q1"], {"x": 3})


def test_only_marked_lines_are_hidden_wherever_they_are(imported):
    shown = new_markdown_cell("A hint.", metadata={"tags": ["otter_include", "kept"]})
    solution = [code("a = 1 # SOLUTION"), code("print(a)", printed="1\n"), shown]
    _, lesson = imported(
        master(
            code("import math\nb = 2 # SOLUTION"),
            *question("name: q1", solution=solution, tests=[code("a", "1")]),
        )
    )
    assert sources(lesson) == {
        "answer": "import math\n# b = ...\n### BEGIN SOLUTION\nb = 2\n### END SOLUTION",
        "q1_text": "What to do.",
        "q1": "# a = ...\n### BEGIN SOLUTION\na = 1\n### END SOLUTION",
        "test_q1": "assert '%r' % (a,) == '1'",
    }
    given = [cell.source for cell in lesson.cells if not grade_id(cell)]
    assert given == ["print(a)", "A hint."]
    assert lesson.cells[-2].metadata == {"tags": ["kept"]}


def test_marks_may_be_fences_in_markdown(imported):
    cells = [
        new_markdown_cell("```otter\n# ASSIGNMENT CONFIG\nfiles: levels.csv\n```"),
        new_markdown_cell(
            "First.\n\n```otter\n# BEGIN QUESTION\nname: q1\n```\nWhat to do.\n\n"
            "```otter\n# BEGIN SOLUTION\n```\n"
        ),
        code("x = 1 # SOLUTION"),
        new_markdown_cell("```otter\n# END SOLUTION\n```\n```otter\n# BEGIN TESTS\n```"),
        code("x", "1"),
        new_markdown_cell("```otter\n# END TESTS\n```\n\n```otter\n# END QUESTION\n```\nLast."),
    ]
    said, lesson = imported(master(*cells, config=None))
    assert [cell.source for cell in lesson.cells if cell.cell_type == "markdown"] == [
        "First.",
        "What to do.",
        "Last.",
    ]
    assert sources(lesson)["test_q1"] == "assert '%r' % (x,) == '1'"
    assert "1 question, 1 point" in said


def test_the_older_format_is_read(imported):
    cells = [
        new_markdown_cell("```\nBEGIN ASSIGNMENT\nfiles: [levels.csv]\n```"),
        new_markdown_cell("Read\n\n```\nBEGIN QUESTION\nname: q1\npoints: 2\n```\nand answer."),
        code("x = 1 # SOLUTION"),
        code("## Test ##\nx == 1", "True"),
        code("## Hidden Test ##\nx > 0", "True"),
        code("print('between')"),
        new_markdown_cell("```\nBEGIN QUESTION\nname: q2\nmanual: true\npoints: 3\n```\nWhy?"),
        new_markdown_cell("Because ..."),
        new_markdown_cell("**SOLUTION:** it is so."),
        new_markdown_cell("```\nBEGIN QUESTION\nname: q3\n```"),
        code("## Test ##\nx + 1", "2"),
    ]
    said, lesson = imported(master(*cells, config=None))
    assert sources(lesson) == {
        "q1_text": "Read\n\nand answer.",
        "q1": "# x = ...\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION",
        "test_q1": "assert x == 1",
        "test_q1_2": "### BEGIN HIDDEN TESTS\nassert x > 0\n### END HIDDEN TESTS",
        "q2_text": "Why?",
        "q2": "Because ...\n\n### BEGIN SOLUTION\n**SOLUTION:** it is so.\n### END SOLUTION",
        "test_q3": "assert '%r' % (x + 1,) == '2'",
    }
    assert "3 questions, 6 points: 3 by machine, 3 by hand (q2)." in said


def test_nothing_of_the_notebook_is_executed(imported, tmp_path):
    trace = tmp_path / "trace"
    run_me = f"open({str(trace)!r}, 'w')"
    said, _ = imported(
        master(
            code(run_me),
            *question(
                f"name: q1\n# {run_me}",
                solution=[code(f"x = {run_me} # SOLUTION")],
                tests=[code(run_me, "1")],
            ),
        )
    )
    assert "1 question" in said
    assert not trace.exists()


# --- refused --------------------------------------------------------------------------------------

ONE, ANOTHER = (
    question("name: q1", solution=[code("x = 1 # SOLUTION")], tests=[code("x", "1")])
    for _ in range(2)
)


def test_a_lesson_that_is_there_stays(course, imported, autograder, tmp_path):
    imported(TIDES)
    course.source(LESSON).write_text("mine")
    again = autograder("import", "otter", str(tmp_path / "otter/tides.ipynb"), course=course.root)
    assert again.code == 2
    assert "already exists: rename it or the notebook." in flat(again.err)
    assert course.source(LESSON).read_text() == "mine"


@pytest.mark.parametrize(
    ("notebook", "why"),
    [
        (master(code("x = 1")), "has no question: import the notebook that `otter assign` reads"),
        (
            master(*ONE, kernelspec={"name": "ir", "language": "R", "display_name": "R"}),
            "is for R",
        ),
        (master(*ONE, *ANOTHER), "Two questions have the name q1: give each its own."),
        (master(*ONE[:-1]), "q1 has no # END QUESTION."),
        (
            master(*ONE[1:]),
            (
                "# BEGIN SOLUTION, after the beginning, is out of place: Otter doesn't "
                "expect it there."
            ),
        ),
        (master(*ONE, config="files: [nowhere.csv]"), "files: nowhere.csv isn't in"),
        (master(*ONE, config="files: ../course"), "files: ../course isn't in"),
        (master(*ONE, config="- a"), "Otter expects names with values here"),
        (master(*ONE, config="!!python/name:os.system {"), "could not read this as YAML"),
        (master(*ONE, config="config_file: nowhere.yml"), "config_file: nowhere.yml can't be read"),
        (master(*question("points: 1")), "A question has no name"),
        (master(*question("name: q1\npoints: [1]")), "q1 has 1 points for 0 tests."),
        (
            master(*question("name: q1\npoints: many", tests=[code("x", "1")])),
            "q1: 'many' isn't a number of points.",
        ),
        (
            master(
                *question(
                    "name: q1\npoints: 1",
                    tests=[code("'''# BEGIN TEST CONFIG\npoints: 2\n'''# END TEST CONFIG\nx", "1")],
                )
            ),
            "q1: its tests have more points than the question.",
        ),
        (master(*question("name: q1", tests=[new_markdown_cell("x")])), "a test that isn't code"),
        (
            master(*question("name: q1", tests=[code("x == 1", ran=False)])),
            "The test `x == 1` was never run, and Otter compares with its output: run the",
        ),
        (
            master(*question("name: q1", solution=[code("# BEGIN SOLUTION\nx = 1")])),
            "A solution doesn't end in this cell",
        ),
        (
            master(*question("name: q1", solution=[code("x = 1\n# END SOLUTION")])),
            "# END SOLUTION is out of place; Otter doesn't expect it in:",
        ),
    ],
)
def test_what_otter_could_not_read_is_refused(refused, notebook, why):
    assert why in refused(notebook)


def test_only_notebooks_are_imported(course, tmp_path, autograder):
    (tmp_path / "tides.Rmd").write_text("---")
    done = autograder("import", "otter", str(tmp_path / "tides.Rmd"), course=course.root)
    assert done.code == 2
    assert "isn't a Jupyter notebook" in flat(done.err)


def test_the_lessons_name_can_be_one(refused):
    assert "can't be a lesson's name" in refused(master(*ONE), name="week+1")
