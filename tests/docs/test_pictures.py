"""The pictures of README and docs/: those committed, and what ``make pictures`` photographs."""

import importlib
import os
import re
import subprocess
import sys

import pytest

from autograder.judging.keys import key_of
from course import COURSE
from tests.conftest import REPOSITORY

PICTURES = REPOSITORY / "docs" / "pictures"
NAMES = {"check-panel", "feedback", "class-report", "heat-map", "warm-up"}
SIGNATURE = b"\x89PNG\r\n\x1a\n"
LARGEST = 150_000  # bytes


def size(png):
    """Width and height, from a PNG's header."""
    assert png.startswith(SIGNATURE)
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_the_pictures_are_there_sharp_and_light():
    assert {path.stem for path in PICTURES.glob("*.png")} == NAMES
    for path in PICTURES.glob("*.png"):
        width, height = size(path.read_bytes())
        assert 700 <= width <= 2000, path.name
        assert height < 2 * width, path.name
        assert path.stat().st_size <= LARGEST, path.name


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """All pictures anew, with a class of three."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(REPOSITORY / "docs")
        pictures = importlib.import_module("pictures")
        few = {name: pictures.CLASS[name] for name in (pictures.STUDENT, "hanna", "oskar")}
        patch.setattr(pictures, "CLASS", few)
        return dict(pictures.render(tmp_path_factory.mktemp("pictures")))


def test_all_are_rendered_anew(rendered):
    assert rendered.keys() == NAMES
    for name, picture in rendered.items():
        assert size(picture.png)[0] == size((PICTURES / f"{name}.png").read_bytes())[0], name
        assert len(picture.png) <= LARGEST


KEY = key_of(COURSE, "attention.scaled_dot_product_attention")
HINT = KEY.find("softmax_over_queries").hints[0].sentence


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("check-panel", ['check("attention.scaled_dot_product', HINT]),
        ("check-panel", ["the columns of weights sum to 1, but its rows don't", "✗ no", "✓ yes"]),
        ("check-panel", ["Heat maps of weights", "received and expected"]),
        ("feedback", ["of 17 points", "scaled dot product attention 4.25 of 5", HINT]),
        (
            "feedback",
            ["Also failed because of this, at no further cost", "ablation report 2 of 3"],
        ),
        ("class-report", ["Handed in 3", "Need manual grading 0", "of 17 points"]),
        (
            "class-report",
            ["Histogram of the totals", "Discrimination", "scaled dot product"],
        ),
        ("heat-map", ["Heat map without a mask: 5 × 5 numbers", "Heat map with the mask"]),
        ("warm-up", ["The learning rate of every step, d_model = 64", "warm-up of 1,000 steps"]),
    ],
)
def test_the_words_in_a_picture(rendered, name, words):
    for expected in words:
        assert expected in rendered[name].text


def test_the_guide_says_the_points_that_the_feedback_shows(rendered):
    guide = (REPOSITORY / "docs" / "guide.md").read_text("utf8")
    (points,) = re.findall(r"feedback page on a phone: ([\d.]+ of 17 points)", guide)
    assert points in rendered["feedback"].text


def test_no_picture_shows_a_solution_or_a_failure(rendered):
    for picture in rendered.values():
        for word in ("SOLUTION", "HIDDEN", "Traceback", "Error", "transpose_b"):
            assert word not in picture.text


def test_without_chromium_one_line_says_what_to_install(tmp_path):
    finished = subprocess.run(
        [sys.executable, REPOSITORY / "docs" / "pictures.py"],
        env=os.environ | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 1
    assert "apt install chromium" in finished.stderr.splitlines()[-1]
    assert "Traceback" not in finished.stderr
