"""An exercise that doesn't fit its key costs nobody points: it's refused before that."""

import dataclasses
import shutil

import pytest

from autograder.course_folder import CourseFolder
from autograder.grading import batch
from autograder.judging import proof
from autograder.judging.keys import Key, key_of
from course import COURSE
from tests.conftest import QUICK_LESSON, write_quick_course

NAME = "preprocessing.find_emails"


@pytest.mark.parametrize("name", COURSE.names())
def test_every_exercise_fits_its_key(name):
    assert list(proof.problems(key_of(COURSE, name))) == []


def spoiled(monkeypatch, how):
    exercise = COURSE.get(NAME)
    first, *others = exercise.aspects
    if how == "shares":
        changed = (dataclasses.replace(first, percent=first.percent - 10), *others)
        monkeypatch.setattr(type(exercise), "aspects", changed)
    elif how == "case":
        changed = (dataclasses.replace(first, cases=("singel",)), *others)
        monkeypatch.setattr(type(exercise), "aspects", changed)
    else:
        solution = key_of(COURSE, NAME).solution
        other = Key(exercise, lambda text: {"adresses": solution(text)["addresses"]})
        keys = {name: key_of(COURSE, name) for name in COURSE.names(QUICK_LESSON)} | {NAME: other}
        for place in ("autograder.release.validate", "autograder.grading.preflight"):
            monkeypatch.setattr(f"{place}.key_of", lambda course, name: keys[name])


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return write_quick_course(tmp_path_factory.mktemp("course"), ["ada"])


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("shares", "the aspects share 90 % of the points, not 100 %"),
        ("case", "looks at a case 'singel'; there are: ["),
        ("outputs", "the solution gives adresses, but the exercise's axes name addresses"),
    ],
)
def test_a_teachers_slip_is_named_before_anybody_is_judged(
    released, autograder, monkeypatch, how, said
):
    spoiled(monkeypatch, how)
    refused = autograder("release", QUICK_LESSON, course=released.root)
    assert refused.code == 2
    assert said in " ".join(refused.err.split())
    (row,) = batch.grade(CourseFolder(released.root), QUICK_LESSON, ["ada"], sandbox="none")
    assert row.problem.startswith(f"not graded: {NAME} cannot be judged here: ")
    assert said in row.problem


def test_a_mistake_whose_cost_depends_on_the_inputs_is_refused_with_a_reason():
    of = key_of(COURSE, "attention.average_attention")
    key = Key(of.exercise, of.solution)
    factor = "(2 if np.ptp(hidden, axis=1).any() else 1 + (hidden[0, 0, 0] > 0))"
    key.mistake("doubled", "No.", '"output": ', f'"output": {factor} * ')
    said = next(x for x in proof.mistake_problems(key, range(9)) if x.startswith("what the known"))
    _, equal, right, large = (repr(aspect.title) for aspect in key.exercise.aspects)
    assert f" {equal} and {right} and {large}" in said
    assert said.count(f" {right} and {large}") == 2
    assert said.endswith("change the exercise's cases())")


KEY = "means_keys/averages/weighted_mean.py"
EXERCISE = "means/exercises/averages/weighted_mean.py"
SLIPS = {
    "loses nothing": (
        KEY,
        lambda text: text + 'KEY.mistake("none", "No.", "/ weights.sum()", "/ sum(weights)")\n',
        "the known mistake 'none' loses nothing on inputs of the seed 2017",
    ),
    "no hint": (
        KEY,
        lambda text: text + 'KEY.mistake("cubed", "", "weights @", "weights**3 @")\n',
        "the known mistake 'cubed' has no hint",
    ),
    "always fails": (
        KEY,
        lambda text: (
            text + 'KEY.mistake("swapped", "No.", "weights @ values", "values @ weights[:1]")\n'
        ),
        "the known mistake 'swapped' fails with an exception on every input",
    ),
    "no Python": (
        KEY,
        lambda text: text + 'KEY.mistake("open", "No.", "weights @", "weights**4 @ (")\n',
        "weighted_mean no longer parses",
    ),
    "same change": (
        KEY,
        lambda text: text + 'KEY.mistake("sum", "No.", "/ weights.sum()", "")\n',
        "the known mistakes 'not_divided' and 'sum' are the same change",
    ),
    "one name": (
        KEY,
        lambda text: text + 'KEY.mistake("unweighted", "No.", "weights @", "weights**2 @")\n',
        "two known mistakes are called 'unweighted'",
    ),
    "nowhere": (
        KEY,
        lambda text: text + 'KEY.mistake("odd", "No.", "/ weight.sum()", "")\n',
        "the mistake 'odd': '/ weight.sum()' must occur once in weighted_mean, but occurs 0 times",
    ),
    "odd number": (
        KEY,
        lambda text: text + 'KEY.mistake("odd", "No.", "/ weights.sum()")\n',
        "the mistake 'odd' has 1 texts",
    ),
    "inherit a name": (
        KEY,
        lambda text: text + 'KEY.inherit("unweighted", "No.", section=1)\n',
        "inherit() takes KEY.find('unweighted') of the earlier exercise's key",
    ),
    "no exercise": (
        EXERCISE,
        lambda text: text.replace("EXERCISE =", "EXERCISES ="),
        f"{EXERCISE} has no EXERCISE of that name",
    ),
    "cases of chance": (
        EXERCISE,
        lambda text: text.replace("random_state(seed)", "np.random.RandomState()"),
        "averages.weighted_mean: cases() gives different inputs when it's called again",
    ),
    "no cases": (
        EXERCISE,
        lambda text: text.replace("random_state(seed)", "random_state(1 // 0)"),
        "averages.weighted_mean: cases() stops with ZeroDivisionError",
    ),
    "too many axes": (
        EXERCISE,
        lambda text: text.replace('{"mean": ("features",)}', '{"mean": ("a", "b", "features")}'),
        "mean has the shape (",
    ),
    "other axis": (
        EXERCISE,
        lambda text: text.replace('{"mean": ("features",)}', '{"mean": ("rows",)}'),
        "axes calls an axis of mean 'rows', whose size is ",
    ),
    "no such input": (
        EXERCISE,
        lambda text: text.replace('{"values": ("rows", "features")}', '{"value": ("rows",)}'),
        "input_axes names an unknown input 'value'; there are: values, weights",
    ),
    "axes without names": (
        EXERCISE,
        lambda text: text.replace('{"mean": ("features",)}', '{"mean": ()}'),
        ", but axes doesn't name its axes",
    ),
    "a solution without numbers": (
        EXERCISE,
        lambda text: text.replace(
            'Case("equal", {"values": values', 'Case("equal", {"values": values * np.nan'
        ),
        "the solution's mean is NaN or infinite in places, and every answer must be finite",
    ),
    "a hint with a section": (
        KEY,
        lambda text: text + 'KEY.mistake("cubed", "See section 7.", "weights @", "weights**3 @")\n',
        "the hint of 'cubed' names a section, but one is added automatically",
    ),
    "no Python in the exercise": (
        EXERCISE,
        lambda text: text + "\ndef (\n",
        "weighted_mean.py can't be imported: SyntaxError: ",
    ),
    "no Python in the key": (
        KEY,
        lambda text: text + "\ndef (\n",
        "the key of averages.weighted_mean can't be loaded: SyntaxError: ",
    ),
    "key without a name": (
        KEY,
        lambda text: text.replace("KEY", "THIS"),
        "weighted_mean.py has no KEY = Key(...)",
    ),
    "stops": (
        KEY,
        lambda text: text + 'KEY.mistake("typo", "No.", "weights @", "wieghts @")\n',
        "the known mistake 'typo' stops with NameError: name 'wieghts' is not defined",
    ),
    "negative share": (
        EXERCISE,
        lambda text: text.replace('20, ("plain",)', '-20, ("plain",)').replace("50,", "90,"),
        "the share of the aspect 'the mean has the shape (features,)' is -20 %",
    ),
    "one case without a comma": (
        EXERCISE,
        lambda text: text.replace('30, ("equal",)', '30, ("equal")'),
        "takes a tuple of cases: ('equal',)",
    ),
    "one seed for all": (
        EXERCISE,
        lambda text: text.replace("random_state(seed)", "random_state(1)"),
        "cases() gives the same inputs for every seed",
    ),
    "a class": (
        EXERCISE,
        lambda text: text.replace("EXERCISE = WeightedMean()", "EXERCISE = WeightedMean"),
        "weighted_mean.py: write EXERCISE = WeightedMean()",
    ),
    "no dict": (
        KEY,
        lambda text: text.replace('{"mean": total / weights.sum()}', "total / weights.sum()"),
        "a solution must return its outputs by name, in a dict, not a ndarray",
    ),
    "a hint in brackets": (
        KEY,
        lambda text: text + 'KEY.mistake("cubed", ("No.",), "weights @", "weights**3 @")\n',
        "the mistake 'cubed' takes a hint, one sentence, but got a tuple",
    ),
    "a bare decorator": (
        KEY,
        lambda text: text + "@KEY.add\ndef cubed(values, weights):\n    return {}\n",
        '@KEY.add("...") takes a hint, one sentence, but got a function',
    ),
    "chance": (
        KEY,
        lambda text: text.replace(
            "total = weights @ values", "total = weights @ values + np.random.random()"
        ).replace("from autograder", "import numpy as np\n\nfrom autograder"),
        "the solution gives different outputs when it is called again: use no random numbers",
    ),
    "a section in words": (
        EXERCISE,
        lambda text: text.replace("section = 1", 'section = "1"'),
        "its section is '1': write a whole number",
    ),
    "changed inputs": (
        KEY,
        lambda text: text.replace("total = ", "values *= 2\n    total = "),
        "the solution changes its input values: it must work on a copy",
    ),
    "a mistake that changes inputs": (
        KEY,
        lambda text: (
            text + 'KEY.mistake("doubled", "No.", "total = ", "values *= 2\\n    total = ")\n'
        ),
        "the known mistake 'doubled' changes its input values",
    ),
    "a list for an array": (
        KEY,
        lambda text: text.replace("total / weights.sum()}", "list(total / weights.sum())}"),
        "the solution gives mean as a list, but axes says that it is an array",
    ),
    "no such section": (
        EXERCISE,
        lambda text: text.replace("section = 1", "section = 2"),
        "its section is 2, but no heading of the lesson begins with that number",
    ),
    "no such section in a hint": (
        KEY,
        lambda text: text + 'KEY.mistake("cubed", "No.", "weights @", "weights**3 @", section=9)\n',
        "the hint of 'cubed' is 9, but no heading of the lesson begins with that number",
    ),
    "another lesson": (
        EXERCISE,
        lambda text: text.replace('"01-averages"', '"02-means"'),
        "averages.weighted_mean: set lesson = '01-averages' in its file",
    ),
}


def assert_refused(autograder, command, course, slip):
    """A command ends with one message that names a slip."""
    path, changed, said = SLIPS[slip]
    (course / path).write_text(changed((course / path).read_text()))
    refused = autograder(command, course=course)
    assert refused.code == 2
    assert said in " ".join(refused.err.split())
    assert "Traceback" not in refused.err


@pytest.mark.parametrize("slip", SLIPS)
def test_a_teachers_slip_in_a_course_of_their_own_is_one_line_that_names_it(
    means, autograder, slip
):
    assert_refused(autograder, "release", means, slip)


def test_an_exercise_that_is_misspelt_among_equal_slips_is_named(means, autograder):
    answers = means / "tests" / "submissions" / "01-averages"
    (answers / "equivalent_mutants.yaml").write_text("weighted_means:\n  a: Why not.\n")
    refused = autograder("audit", "--jobs", "1", course=means)
    assert refused.code == 2
    assert "no solution cell 'weighted_means'" in " ".join(refused.err.split())


def test_a_made_up_students_answer_that_is_no_python_is_named(means, autograder):
    path = means / "tests" / "submissions" / "01-averages" / "wrong_unweighted.py"
    path.write_text(path.read_text().replace("weights):", "weights)"))
    assert autograder("release", course=means).code == 0
    audited = autograder("audit", "--jobs", "1", course=means)
    assert audited.code == 1
    assert (
        "wrong_unweighted: <01-averages/wrong_unweighted/weighted_mean>: SyntaxError" in audited.out
    )


def test_a_key_that_was_copied_and_not_changed_is_named(means, autograder):
    for path, name in ((EXERCISE, "averages.median"), (KEY, "averages.weighted_mean")):
        text = (means / path).read_text().replace("averages.weighted_mean", name)
        (means / path).with_stem("median").write_text(text)
    refused = autograder("release", course=means)
    assert refused.code == 2
    said = " ".join(refused.err.split())
    assert "the key of averages.median can't be loaded" in said
    assert "median.py has the key of averages.weighted_mean" in said


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("# expected: [", "its header isn't valid YAML near 'expected: ['"),
        ("# expect:\n#   weighted_mean:\n#     fails: everything", "single entry, `expected:`"),
        ("# expected:\n#   - weighted_mean", "below `expected:`, list exercises"),
        ("# expected:\n#   weighted_mean: 3", "weighted_mean: `fails: [...]` is missing"),
        ("# expected:\n#   weighted_mean: {fails: a}", "`fails` is a list of the aspects' titles"),
        (
            "# expected:\n#   weighted_mean: {fails: everything, mistakes: a}",
            "unknown: 'mistakes'; there are fails, mistake, relation, reason",
        ),
        (
            "# expected:\n#   weighted_mean: {fails: everything, reason: 3}",
            "'reason': a text, in quotation marks if need be",
        ),
        (
            "# expected:\n#   mean: {fails: everything}",
            "the lesson has no solution cell 'mean'",
        ),
        ("#", "wrong answers need a header with `expected:`, and what fails below it"),
    ],
)
def test_a_header_that_states_nothing_is_refused_with_the_files_name(
    means, autograder, header, said
):
    path = means / "tests" / "submissions" / "01-averages" / "wrong_median.py"
    cell = '# %% grade_id="weighted_mean"\ndef weighted_mean(values, weights):\n    return 1\n'
    path.write_text(f"# ---\n{header}\n# ---\n\n{cell}")
    refused = autograder("audit", "--jobs", "1", course=means)
    assert refused.code == 2
    assert "wrong_median.py: " in refused.err
    assert said in " ".join(refused.err.split())


def test_a_call_that_gives_no_outputs_by_name_is_not_blamed_on_the_answer(means, autograder):
    exercise = means / EXERCISE
    exercise.write_text(exercise.read_text().replace('return {"mean": obj(', "return (obj("))
    exercise.write_text(exercise.read_text().replace('["weights"])}', '["weights"]))'))
    audited = autograder("audit", "--jobs", "1", course=means)
    assert audited.code == 1
    said = "call() of the exercise averages.weighted_mean returns a ndarray without 'mean'"
    assert f"the lesson's own answer earns 0 %, seed 3: TypeError: {said}" in audited.out


def test_a_header_without_an_end_is_named(means, autograder):
    path = means / "tests" / "submissions" / "01-averages" / "wrong_unweighted.py"
    path.write_text(path.read_text().replace("unweighted\n# ---\n", "unweighted\n"))
    refused = autograder("audit", "--jobs", "1", course=means)
    assert refused.code == 2
    assert "wrong_unweighted.py: its header lacks the closing line `# ---`" in " ".join(
        refused.err.split()
    )


def test_a_known_mistake_that_there_is_not_is_named(means, autograder):
    path = means / "tests" / "submissions" / "01-averages" / "wrong_unweighted.py"
    path.write_text(path.read_text().replace("mistake: unweighted", "mistake: unweigthed"))
    audited = autograder("audit", "--jobs", "1", course=means)
    assert audited.code == 1
    assert "unknown mistake 'unweigthed'; known ones: unweighted, " in audited.out


def test_what_a_mistake_costs_by_luck_is_found_by_the_audit(means, autograder):
    exercise = means / EXERCISE
    text = exercise.read_text().replace(
        "rows, features = distinct_sizes(random, 2)", "rows, features = random.randint(1, 3), 3"
    )
    exercise.write_text(text)
    sheets = means / "tests" / "submissions" / "01-averages"
    for path in sheets.glob("wrong_*.py"):
        path.unlink()
    audited = autograder("audit", "--jobs", "1", course=means)
    assert "the known mistake 'unweighted' " in audited.out
    assert audited.code == 1


UNCHANGED = "01-averages: nothing has changed since its last audit."


@pytest.mark.parametrize(
    "changed",
    [
        KEY,
        EXERCISE,
        "source/01-averages/01-averages.ipynb",
        "tests/submissions/01-averages/new.txt",
    ],
)
def test_an_audit_that_found_nothing_wrong_is_repeated_once_something_changes(
    means, autograder, changed
):
    assert autograder("release", course=means).code == 0
    audited = autograder("audit", "--changed", "--jobs", "1", course=means)
    assert (audited.code, UNCHANGED in audited.out) == (0, False)
    audited = autograder("audit", "--changed", "--jobs", "1", course=means)
    assert (audited.code, UNCHANGED in audited.out) == (0, True)
    assert "wrong answers accepted" not in audited.out
    with (means / changed).open("a") as file:
        file.write("\n")
    audited = autograder("audit", "--changed", "--jobs", "1", course=means)
    assert UNCHANGED not in audited.out
    assert "wrong answers accepted" in audited.out


def test_an_audit_that_found_something_wrong_is_always_repeated(means, autograder):
    path = means / "tests" / "submissions" / "01-averages" / "wrong_unweighted.py"
    path.write_text(path.read_text().replace("mistake: unweighted", "mistake: none"))
    for _ in range(2):
        audited = autograder("audit", "--changed", "--jobs", "1", course=means)
        assert audited.code == 1
        assert UNCHANGED not in audited.out


def test_a_lesson_whose_own_answer_is_wrong_does_not_pass_the_audit(means, autograder):
    source = means / "source" / "01-averages" / "01-averages.ipynb"
    text = source.read_text()
    assert "axis=0" in text
    source.write_text(text.replace("axis=0", "axis=1"))
    audited = autograder("audit", "--jobs", "1", course=means)
    assert "the lesson's own answer earns " in audited.out
    assert audited.code == 1


def test_the_sheet_of_an_exercise_that_is_no_more_goes(means, autograder):
    assert autograder("release", course=means).code == 0
    old = means / "means" / "answers" / "averages.median.json"
    old.write_text("{}")
    assert autograder("release", course=means).code == 0
    assert [path.name for path in old.parent.iterdir()] == ["averages.weighted_mean.json"]


def test_a_wrong_answer_may_state_that_no_known_mistake_explains_it(means, autograder):
    path = means / "tests" / "submissions" / "01-averages" / "wrong_median.py"
    path.write_text(
        "# ---\n# expected:\n#   weighted_mean:\n"
        "#     fails: [equal weights give the plain mean, the numbers are right]\n"
        "#     mistake: none\n# ---\n\n"
        '# %% grade_id="weighted_mean"\ndef weighted_mean(values, weights):\n'
        "    return np.median(values, axis=0) + 17\n"
    )
    assert autograder("release", course=means).code == 0
    audited = autograder("audit", "--jobs", "1", course=means)
    assert "wrong answers accepted" in audited.out
    assert "100.0 % of the wrong answers got the hint" in audited.out
    assert audited.code == 0, audited.out


@pytest.mark.parametrize("slip", ["nowhere", "no exercise"])
def test_an_audit_without_a_key_or_an_exercise_says_so_in_a_line(means, autograder, slip):
    assert_refused(autograder, "audit", means, slip)


def test_what_students_get_takes_nothing_from_the_instructors(means, autograder):
    shutil.copy(means / KEY, means / EXERCISE.replace("weighted_mean", "weighted_mean_key"))
    refused = autograder("release", course=means)
    assert refused.code == 2
    assert "weighted_mean_key.py imports autograder" in " ".join(refused.err.split())
