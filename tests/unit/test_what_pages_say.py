"""What README, the pages in docs/ and the like say, compared with what it's about."""

import re

import nbformat
import numpy as np
import pytest

from autograder.demo import RESULTS
from autograder.judging import solutions
from autograder.judging.judge import judge, response_of
from autograder.judging.keys import key_of
from course import COURSE
from selfcheck.aspects import identical
from tests.conftest import REPOSITORY
from tests.support.pages import page_paths

INDEX = REPOSITORY / "docs" / "lessons" / "index.md"
PAGES = [*page_paths(), INDEX, REPOSITORY / "CONTRIBUTING.md", REPOSITORY / "SECURITY.md"]
LESSONS = {path.stem: path for path in sorted(REPOSITORY.glob("source/*/*.ipynb"))}
SEEDS = range(6)
PICTURED = "attention.scaled_dot_product_attention"


def text_of(page):
    """A page's text on one line."""
    return " ".join((REPOSITORY / page).read_text("utf8").split())


def named(path):
    return path.relative_to(REPOSITORY).as_posix()


def anchors(path):
    """What a link can name after #: the headings, as GitHub and the site write them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_no_links_target_is_broken_over_two_lines(path):
    assert not re.findall(r"\]\([^()\s]*\n[^)]*\)", path.read_text("utf8"))


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_links_to_files_and_their_headings_lead_somewhere(path):
    """In the repository; `make test-site` follows the site's."""
    text = path.read_text("utf8")
    links = [*re.findall(r"\]\(([^()\s]+)\)", text), *re.findall(r'<img src="([^"]+)"', text)]
    for link in links:
        file, _, heading = link.partition("#")
        if "://" in file:
            continue
        target = path.parent / file if file else path
        # Lessons' pages exist on the site alone: there, links have no suffix.
        assert target.exists() or target.with_suffix(".lesson").exists(), link
        assert not heading or heading in anchors(target), link


def test_a_lesson_that_shows_results_does_so_in_the_cell_that_the_demonstration_prints():
    """A lesson has one such cell or none; a page names one lesson, and those without."""
    printing = set()
    for lesson, path in LESSONS.items():
        cells = nbformat.read(path, as_version=4).cells
        shown = [cell.id for cell in cells if "results.show(" in cell.source]
        if shown:
            assert shown == [RESULTS], lesson
            printing.add(lesson)
    for page in (INDEX, REPOSITORY / "docs" / "results.md"):
        lessons = re.findall(r"autograder demo (\S+) --source real", page.read_text("utf8"))
        assert len(lessons) == 1 and lessons[0] in printing, page
    (without,) = re.findall(r"\(Lessons (\d\d) and (\d\d) have none\.\)", INDEX.read_text("utf8"))
    assert set(without) == {lesson[:2] for lesson in LESSONS.keys() - printing}


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_page_of_all_lessons_names_what_students_write(lesson):
    (row,) = re.findall(rf"^\| `{lesson}` \| (.+?) \|", INDEX.read_text("utf8"), re.MULTILINE)
    names = {name.partition(".")[2] for name in COURSE.names() if COURSE.get(name).lesson == lesson}
    # A layer's exercise is named after it in snake case.
    written = {
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", each).lower() for each in re.findall(r"`(\w+)`", row)
    }
    assert written == names


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_first_page_quotes_what_a_check_says(page):
    """In the picture below, too: `make pictures` takes it anew."""
    mistake = key_of(COURSE, PICTURED).find("softmax_over_queries")
    cases = COURSE.get(PICTURED).cases(SEEDS[0])
    received = {case.name: solutions.outputs(mistake.variant, case.inputs) for case in cases}
    verdict = judge(COURSE, PICTURED, SEEDS[0], response_of(PICTURED, received))
    said = verdict.to_text().replace("`", "")
    (quotes,) = re.findall('not "wrong", but "(.+?)" and "(.+?)"', text_of(page))
    assert [quote for quote in quotes if quote not in said] == []


def test_the_sums_of_answers_are_those_of_the_table():
    page = (REPOSITORY / "docs" / "results.md").read_text("utf8")
    rows = re.findall(r"^\| (\d+)[^|]*\| (\d+) \| (\d+) \| (\d+)", page, re.MULTILINE)
    sets = np.array(rows, int)
    assert len(sets) == 34
    _, right, wrong, full = sets.sum(axis=0)
    _, _, later, later_full = sets[11:].sum(axis=0)
    share = f"{100 * full / wrong:.1f} %"
    both = f"{later_full} of {later:,} did ({100 * later_full / later:.1f} %)"
    results = text_of("docs/results.md")
    assert f"Of {wrong:,} wrong answers, {full} ({share}) got full marks" in results
    assert f"Of {right} right answers, 2 lost points" in results
    assert both in results


def drawn(exercise):
    """The right outputs of some draws, by case and name."""
    solution = key_of(COURSE, exercise.name).solution
    draws = [solutions.expected(exercise, solution, seed) for seed in SEEDS]
    return [{case: right.outputs for case, right in draw.items()} for draw in draws]


def claimed(exercise):
    """Share of the points of a response that knows only what doesn't follow from secret inputs.

    That is what is the same in every draw, text, and how many parameters there are. All other
    numbers are wrong, though of the right shape.
    """
    first, *others = drawn(exercise)
    received = {
        case: {
            name: value
            if not isinstance(value, np.ndarray)
            or name == "parameters"
            or all(identical(value, other[case][name]) for other in others)
            else value + 7
            for name, value in outputs.items()
        }
        for case, outputs in first.items()
    }
    return judge(COURSE, exercise.name, SEEDS[0], response_of(exercise.name, received)).percent


def test_the_threat_model_says_how_much_can_be_claimed_of_a_model():
    built = [one for one in map(COURSE.get, COURSE.names()) if one.builds]
    built.append(COURSE.get("conv1d.build_conv1d_classifier"))
    shares = {exercise.function: claimed(exercise) for exercise in built}
    most = max(shares, key=shares.get)
    said = re.findall(r"up to (\d+) % of `(\w+)`", text_of("docs/threat-model.md"))
    assert said == [(str(shares[most]), most)]


def always_the_same(exercise):
    """Whether every draw has the same right outputs."""
    first, *others = drawn(exercise)
    return all(
        identical(value, other[case][name])
        for other in others
        for case, outputs in first.items()
        for name, value in outputs.items()
    )


def test_no_tasks_outputs_are_the_same_in_every_draw():
    """Or they could be copied."""
    assert not [name for name in COURSE.names() if always_the_same(COURSE.get(name))]
