"""The site: built once, then read as a visitor's browser and a search engine read it."""

import importlib
import os
import re
import subprocess
import sys
from datetime import date
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from bs4 import BeautifulSoup

from autograder.cells import BEGIN_HIDDEN, BEGIN_SOLUTION
from autograder.kernels.sandbox import Limits
from autograder.release.generate import leaks_into
from tests.conftest import CHROMIUM, NO_CHROMIUM, REPOSITORY

SOURCES = sorted(REPOSITORY.glob("source/*/*.ipynb"))
PHONE, DESK = {"width": 400, "height": 800}, {"width": 1300, "height": 900}
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}

# It executes every lesson that changed since it was built last.
pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site; a warning fails the build."""
    into = tmp_path_factory.mktemp("built") / "site"
    options = ["-q", "-W", "--keep-going", "-d", into.parent / "doctrees"]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, "docs", into],
        cwd=REPOSITORY,
        env=os.environ | {"COURSE_BUDGET": "smoke"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    return into


@pytest.fixture(scope="module")
def pages(site):
    """Every page, parsed, by its path in the site."""
    return {
        path.relative_to(site).as_posix(): BeautifulSoup(path.read_text("utf8"), "html.parser")
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts
    }


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM,
            # No name is found, so that nothing outside the site can be loaded.
            args=["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND"],
        )
        yield opened
        opened.close()


def test_every_lesson_is_there_with_its_pictures_and_says_how_it_was_run(pages):
    for source in SOURCES:
        page = pages[f"lessons/{source.stem}.html"]
        assert len(page.select(".cell_output img")) >= 3, source
        text = " ".join(page.get_text(" ").split())
        assert re.search("smoke run on the course.s built-in samples", text)
        assert re.search(rf"It was run on \d+ [A-Z][a-z]+ {date.today().year}", text)
        assert "aspects passed on the published inputs" in text
        assert "NotImplementedError" in text  # the tasks, as they are handed out


@pytest.mark.parametrize(("data", "said"), [("named", "on the published texts: "), ("", "samples")])
def test_a_run_in_full_is_on_published_texts_where_there_are_some(
    tmp_path, monkeypatch, data, said
):
    """Not executed here: what it would be executed with, and what the page says of it."""
    monkeypatch.syspath_prepend(REPOSITORY / "docs" / "extensions")
    lesson_pages = importlib.import_module("lesson_pages")
    given = {}

    class Client:
        def __init__(self, notebook, **options):
            self.cell = next(cell for cell in notebook.cells if cell.cell_type == "code")

        def execute(self, env, stderr):
            given.update(env)
            self.cell.outputs = [nbformat.v4.new_output("stream", text=f"in {Path.home()}/data")]

    monkeypatch.setattr(lesson_pages, "NotebookClient", Client)
    monkeypatch.setenv("COURSE_BUDGET", "full")
    monkeypatch.setenv("COURSE_DATA", data)
    page = lesson_pages.read("06-fastformer", str(tmp_path))
    note = page.cells[1].source
    assert said in note
    assert given["COURSE_SOURCE"] == ("real" if data else "sample")
    for title in ("AG News (Zhang et al., 2015)", "News Category (Misra, 2022)"):
        assert (title in note) == bool(data)
    outputs = [output for cell in page.cells for output in cell.get("outputs", ())]
    assert [output.text for output in outputs] == ["in ~/data"]


def test_what_was_executed_is_kept_when_the_text_alone_changes(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(REPOSITORY / "docs" / "extensions")
    lesson_pages = importlib.import_module("lesson_pages")
    executed = []

    class Client:
        def __init__(self, notebook, **options):
            self.notebook = notebook

        def execute(self, env, stderr):
            executed.append(self.notebook)
            for cell in self.notebook.cells:
                if cell.cell_type == "code":
                    cell.outputs = [nbformat.v4.new_output("stream", text=cell.id)]

    def run():
        return lesson_pages._executed("06-fastformer", lesson, source, tmp_path)

    monkeypatch.setattr(lesson_pages, "NotebookClient", Client)
    lesson, source = (
        nbformat.read(REPOSITORY / folder / "06-fastformer" / "06-fastformer.ipynb", as_version=4)
        for folder in ("release", "source")
    )
    run()
    lesson.cells[0].source = "Another title."
    lesson.cells.insert(1, nbformat.v4.new_markdown_cell("One more paragraph."))
    done = run()
    assert len(executed) == 1
    assert [cell.source for cell in done.cells[:2]] == ["Another title.", "One more paragraph."]
    for cell in done.cells:
        assert cell.cell_type != "code" or cell.outputs[0].text == cell.id
    lesson.cells[-1] = nbformat.v4.new_code_cell("1 + 1")
    run()
    assert len(executed) == 2


def test_no_page_tells_a_solution(site, pages):
    for source in SOURCES:
        notebook = nbformat.read(source, as_version=4)
        for name, page in pages.items():
            leaks = list(leaks_into(notebook, page.get_text().splitlines(), name))
            # That there are marks is no secret, but what stands between them.
            assert not [x for x in leaks if BEGIN_HIDDEN not in x and BEGIN_SOLUTION not in x]
    assert not [*site.rglob("*.ipynb"), *site.rglob("_sources/**/*.*")]


def test_every_link_anchor_and_file_inside_the_site_is_there(site, pages):
    @cache
    def anchors(name):
        return {tag["id"] for tag in pages[name].select("[id]")} | {"", "top"}

    broken = []
    for name, page in pages.items():
        for tag in page.select("a[href], link[href], script[src], img[src]"):
            address = urlsplit(tag.get("href") or tag.get("src"))
            if address.scheme:
                continue
            path = (site / name).parent / unquote(address.path) if address.path else site / name
            target = os.path.relpath(path.resolve(), site)
            found = (site / target).is_file() and (
                target not in pages or unquote(address.fragment) in anchors(target)
            )
            if not found:
                broken.append((name, address.geturl()))
    assert not broken


def test_links_to_elsewhere_are_whole_addresses(pages):
    """Whether somebody answers there is for `make links`, which needs a network."""
    addresses = {a["href"] for page in pages.values() for a in page.select("a[href*=':']")}
    assert "https://github.com/containers/bubblewrap" in addresses
    for address in map(urlsplit, addresses):
        assert address.scheme == "https", address
        assert "." in address.netloc, address


def test_no_page_asks_another_server_for_anything(site, pages):
    outside = re.compile(r"^(https?:)?//")
    for name, page in pages.items():
        for kind, attribute in LOADED.items():
            asked = [tag[attribute] for tag in page.find_all(kind) if tag.has_attr(attribute)]
            assert not [address for address in asked if outside.match(address)], name
    for sheet in site.rglob("*.css"):
        loaded = re.findall(
            r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^)]*", sheet.read_text("utf8")
        )
        assert not loaded, sheet


def test_every_image_is_described_in_words(pages):
    for name, page in pages.items():
        for image in page.find_all("img"):
            text = image.get("alt", "")
            assert len(text.split()) > 3, (name, image)
            assert not re.search(r"\.(png|svg|jpe?g)$", text), (name, image)


def test_the_pages_fit_a_phone_and_load_nothing_from_elsewhere(site, pages, browser):
    asked = []
    page = browser.new_page(viewport=PHONE)
    page.on("request", lambda request: asked.append(request.url))
    too_wide = []
    for name in pages:
        page.goto((site / name).as_uri(), wait_until="load")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            too_wide.append((name, width))
    page.close()
    assert not too_wide
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


@pytest.mark.parametrize("lesson", [path.stem for path in SOURCES])
@pytest.mark.parametrize("width", [700, 1280])
def test_code_is_read_without_scrolling_sideways(site, browser, lesson, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto((site / "lessons" / f"{lesson}.html").as_uri(), wait_until="load")
    code = page.locator(".cell_input pre")
    assert code.count() > 20
    scrolling = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)"
    assert code.evaluate_all(scrolling) == []
    page.close()


def test_formulas_are_drawn_without_a_network(site, browser):
    page = browser.new_page(viewport=DESK)
    page.goto((site / "lessons" / "03-attention.html").as_uri(), wait_until="load")
    page.wait_for_selector("mjx-container", state="attached")  # some are folded away
    page.evaluate("MathJax.startup.promise")
    assert page.locator("mjx-container").count() == page.locator(".math").count() > 20
    assert page.locator("mjx-merror").count() == 0
    page.close()


def test_the_search_finds_pages(site, browser):
    page = browser.new_page(viewport=DESK)
    page.goto((site / "search.html").as_uri() + "?q=misconceptions", wait_until="load")
    page.get_by_text("Search finished").wait_for()
    found = page.locator("#search-results li a").evaluate_all("all => all.map(a => a.href)")
    page.close()
    assert any("judge.html" in address for address in found)


def test_the_guide_states_the_limits_that_hold():
    guide = (REPOSITORY / "docs" / "guide.md").read_text("utf8")
    stated = dict(re.findall(r"`c\.ExecuteSubmission\.(\w+)_limit` \|.*\| (\d+) \|", guide))
    limits = Limits()
    assert {name: int(number) for name, number in stated.items()} == {
        "memory": limits.memory,
        "process": limits.processes,
        "disk": limits.disk,
        "output": limits.output,
    }
