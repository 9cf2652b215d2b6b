"""The page for marking written answers, in a browser: by keyboard, losing nothing, in any width."""

from contextlib import ExitStack

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import MILLISECONDS, Window
from tests.support.marking_server import MarkingServer
from tests.support.scripts import ran

REPORT, ROOT = "ablation_report", "why_the_root"

QUESTIONS = [
    {
        "name": REPORT,
        "notebook": "03-attention",
        "title": "ablation report",
        "points": 3,
        "text": "<p>Change <em>one</em> thing about the model, and say what it did.</p>",
        "solution": "<p>Without positions, the accuracy fell in 9 out of 10 pairs of runs.</p>",
        "items": [
            {
                "name": "question",
                "points": 1,
                "text": "One question, exactly one thing changed, and an expectation with a "
                "reason, written before the runs. If it turns out wrong, that costs nothing.",
            },
            {
                "name": "pairs",
                "points": 1,
                "text": "The same draws for both versions, and the differences pair by pair.",
            },
            {
                "name": "conclusion",
                "points": 0.5,
                "text": "A conclusion that goes no further than the measurements.",
            },
            {"name": "next", "points": 0.5, "text": "What would have to be tried next."},
        ],
        "examples": [
            {
                "points": 2,
                "items": ["question", "pairs"],
                "text": "<p>I removed the positions and expected a loss. It fell by 0.02.</p>",
                "why": "It compares two runs, not pairs.",
            },
            {
                "points": 0,
                "items": [],
                "text": "<p>Attention is all you need.</p>",
                "why": "Nothing is asked.",
            },
        ],
    },
    {
        "name": ROOT,
        "notebook": "03-attention",
        "title": "why the root",
        "points": 1,
        "text": "<p>Why are the scores divided by the root of the dimension?</p>",
        "solution": "<p>Otherwise their standard deviation grows with it.</p>",
        "items": [],
        "examples": [],
    },
]

ANSWERS = [
    "<h1>My report</h1><p>I wanted to know whether the model needs to see the order of words. I "
    "expected it to lose a little, because the topic of a text is in its words and not in their "
    "order. So I left the positions out and changed nothing else.</p><p>I trained both versions "
    "ten times, with the same seed and the same draw in each pair. The differences were between "
    "<code>-0.031</code> and <code>+0.004</code>, with a mean of <code>-0.012</code>, and 9 of 10 "
    "were negative.</p><ul><li>So order helps here, but only a little.</li><li>It is this data "
    "and this short training only.</li></ul><p>Next I would try longer texts.</p>",
    "<p>I think attention is important, because it was better.</p>",
    "<p>Two layers were better than one by 0.02, in one run.</p>",
]

COMMENTS = ["Which difference do you mean?", "Say how many pairs you compared.", "A good control."]


def serve(texts=ANSWERS, **options):
    answers = {REPORT: texts, ROOT: ["<p>Softmax.</p>"]}
    return MarkingServer(QUESTIONS, answers, comments={REPORT: COMMENTS}, **options)


@pytest.fixture
def visit(chromium):
    """Open a server's page in a window of some size, light or dark."""
    expect.set_options(timeout=MILLISECONDS)
    with ExitStack() as opened:

        def open_page(server, width=1280, scheme="light", height=900):
            opened.enter_context(server)
            viewport = {"width": width, "height": height}
            context = chromium.new_context(viewport=viewport, color_scheme=scheme)
            context.set_default_timeout(MILLISECONDS)
            opened.callback(context.close)
            page = context.new_page()
            page.goto(server.url)
            expect(page.get_by_role("heading", name="Ablation report")).to_be_visible()
            return page

        yield open_page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def begin(page):
    """Open the first question, and wait for its first answer."""
    press(page, "1")
    expect(answer(page)).to_be_focused()


def answer(page):
    return page.get_by_role("region", name="Student's answer")


def status(page):
    return page.get_by_role("status").first


def comment(page):
    return page.get_by_label("Comment for the student")


def refusal(page):
    return page.get_by_role("alert").filter(has_text="Not saved:")


def leave_field(page):
    press(page, "Escape")
    expect(answer(page)).to_be_focused()


def points(page):
    return page.get_by_role("textbox", name="Points")


def total(page):
    return page.locator("#total")


def test_a_round_by_keyboard_alone(visit):
    server = serve(again={REPORT: ["<p>The root keeps the scores small.</p>"]})
    page = visit(server)
    row = page.get_by_role("listitem").filter(has_text="ablation report")
    expect(row).to_contain_text("waiting3")

    begin(page)
    expect(answer(page)).to_contain_text("whether the model needs to see the order")
    expect(page.get_by_text("second, independent marking")).to_be_hidden()
    press(page, "1", "2", "c")
    expect(comment(page)).to_be_focused()
    page.keyboard.type("1 question, 2 runs")  # no key does anything while one types
    expect(total(page)).to_have_text("2 of 3 points")
    press(page, "Escape", "f", "Enter")
    expect(status(page)).to_have_text("Saved: 2 of 3 points.")
    expect(page.get_by_text("3 left, 1 marked by you")).to_be_visible()
    assert server.marked(f"{REPORT}-1") == {
        "items": ["question", "pairs"],
        "points": None,
        "total": 2,
        "comment": "1 question, 2 runs",
        "flagged": True,
    }

    expect(answer(page)).to_contain_text("attention is important")
    expect(answer(page)).to_be_focused()
    expect(comment(page)).to_have_value("")
    press(page, "Enter")
    expect(refusal(page)).to_have_text("Not saved: tick what it earns, or none of these.")
    assert server.marked(f"{REPORT}-2") is None
    press(page, "1", "0")
    expect(page.get_by_role("checkbox", name="None of these")).to_be_checked()
    expect(page.get_by_role("checkbox", name="One question")).not_to_be_checked()
    expect(refusal(page)).to_be_hidden()
    press(page, "Enter")
    expect(status(page)).to_have_text("Saved: 0 of 3 points.")
    press(page, "Enter")
    expect(refusal(page)).to_contain_text("Not saved")

    press(page, "u")
    expect(answer(page)).to_contain_text("attention is important")
    press(page, "u")
    expect(page.get_by_label("Ask for a second opinion")).to_be_checked()
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_disabled()
    press(page, "2", "n")
    expect(answer(page)).to_contain_text("attention is important")
    assert server.marked(f"{REPORT}-1")["items"] == ["question"]
    press(page, "4", "n")
    expect(answer(page)).to_contain_text("in one run")
    press(page, "c")
    page.keyboard.type("Once?")
    press(page, "Control+Enter")
    expect(refusal(page)).to_contain_text("tick what it earns")
    expect(comment(page)).to_be_focused()
    press(page, "Escape", "0", "Control+Enter")
    expect(page.get_by_text("second, independent marking")).to_be_visible()
    assert server.marked(f"{REPORT}-3")["comment"] == "Once?"
    press(page, "1", "Enter")
    expect(page.get_by_role("heading", name="Nothing more to mark here")).to_be_focused()
    expect(page.get_by_text("You have marked 4 answers")).to_be_visible()
    press(page, "u")
    expect(answer(page)).to_contain_text("keeps the scores small")

    press(page, "q")
    expect(row).to_contain_text("waiting0")
    expect(row).to_contain_text("by you4")
    expect(row.get_by_role("button")).to_be_focused()
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    press(page, "2", "Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(answer(page)).to_be_hidden()


def test_every_key_has_a_control_and_single_keys_can_be_turned_off(visit):
    page = visit(serve())
    begin(page)
    for name in ("Back", "All questions", "Keys", "Save and next", "Give other points"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Use single keys").uncheck()
    press(page, "Escape", "1", "f", "q")
    expect(answer(page)).to_be_visible()
    expect(total(page)).to_have_text("No points yet")
    page.reload()
    expect(answer(page)).to_be_focused()
    press(page, "1")
    expect(total(page)).to_have_text("No points yet")


def test_items_add_up_and_points_given_freely_take_over_and_give_back(visit):
    server = serve()
    page = visit(server)
    begin(page)
    press(page, "1", "3")
    expect(total(page)).to_have_text("1.5 of 3 points")
    page.get_by_label("What would have to be tried next.").check()
    expect(total(page)).to_have_text("2 of 3 points")
    press(page, "p")
    expect(points(page)).to_be_focused()
    page.keyboard.type("2.25")
    expect(total(page)).to_have_text("2.25 of 3 points")
    expect(page.get_by_text("instead of 2 by the items")).to_be_visible()
    points(page).fill("")
    expect(total(page)).to_have_text("2 of 3 points")
    points(page).fill("3.5")
    press(page, "Enter", "Enter")
    expect(refusal(page)).to_have_text("Not saved: points go from 0 to 3.")
    expect(total(page)).to_have_text("0 to 3 points")
    points(page).fill("2,75")
    press(page, "Enter", "Enter")
    expect(status(page)).to_contain_text("Saved: 2.75 of 3 points.")
    assert server.marked(f"{REPORT}-1")["points"] == 2.75
    expect(points(page)).to_be_hidden()
    expect(total(page)).to_have_text("No points yet")


def test_without_a_rubric_points_are_typed(visit):
    server = serve()
    page = visit(server)
    press(page, "2")
    expect(answer(page)).to_be_focused()
    expect(page.get_by_role("group", name="Rubric")).to_be_hidden()
    press(page, "Enter")
    expect(refusal(page)).to_have_text("Not saved: give points first.")
    press(page, "p", "0", "Control+Enter")
    expect(page.get_by_role("heading", name="Nothing more to mark here")).to_be_visible()
    assert server.marked(f"{ROOT}-1")["total"] == 0
    press(page, "u")
    expect(points(page)).to_have_value("0")
    points(page).fill("")
    press(page, "Control+Enter")
    expect(refusal(page)).to_have_text("Not saved: give points first.")


def test_a_failed_save_loses_nothing_and_can_be_repeated(visit):
    server = serve()
    page = visit(server)
    begin(page)
    press(page, "1", "c")
    page.keyboard.type("Read section 2 again.")
    server.refuse_saving = "The gradebook is locked."
    press(page, "Control+Enter")
    alert = page.locator("#problem")
    expect(alert).to_have_text("Not saved. All you entered is still here. The gradebook is locked.")
    expect(comment(page)).to_have_value("Read section 2 again.")
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    with page.expect_response(lambda response: response.status == 503):
        press(page, "Enter")
    expect(again).to_be_focused()

    page.context.set_offline(True)
    press(page, "Enter")
    expect(alert).to_contain_text("The server doesn't answer.")
    page.context.set_offline(False)
    server.refuse_saving = ""
    press(page, "2", "Enter")
    expect(status(page)).to_have_text("Saved: 2 of 3 points.")
    expect(alert).to_be_hidden()
    assert server.marked(f"{REPORT}-1")["comment"] == "Read section 2 again."


def test_what_is_typed_outlives_a_reload_and_the_way_back(visit):
    server = serve()
    page = visit(server)
    begin(page)
    press(page, "1", "Enter")
    expect(answer(page)).to_contain_text("attention is important")
    press(page, "2", "c")
    page.keyboard.type("Better than what?")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()
    expect(answer(page)).to_contain_text("attention is important")
    assert asked == ["beforeunload"]
    expect(comment(page)).to_have_value("Better than what?")
    expect(total(page)).to_have_text("1 of 3 points")
    expect(status(page)).to_have_text("What you hadn't saved of this answer is back.")

    press(page, "u")
    expect(answer(page)).to_contain_text("order of words")
    press(page, "Enter")
    expect(comment(page)).to_have_value("Better than what?")
    press(page, "n")
    expect(answer(page)).to_contain_text("in one run")
    page.reload()
    expect(answer(page)).to_contain_text("in one run")
    assert asked == ["beforeunload"]  # everything is saved: nobody is asked


def test_earlier_comments_are_searched_while_typing(visit):
    page = visit(serve())
    begin(page)
    found = page.get_by_role("list", name="Earlier comments").get_by_role("button")
    expect(found).to_have_text(COMMENTS)
    press(page, "/")
    page.keyboard.type("a how")
    expect(found).to_have_text(["Say how many pairs you compared."])
    press(page, "Enter")
    expect(comment(page)).to_have_value("Say how many pairs you compared.")
    expect(comment(page)).to_be_focused()
    found.filter(has_text="Which difference").click()
    expect(comment(page)).to_have_value(
        "Say how many pairs you compared.\nWhich difference do you mean?"
    )
    page.get_by_label("Add an earlier comment").fill("nonsense")
    expect(page.get_by_text("No earlier comment has these words.")).to_be_visible()
    comment(page).fill("New here.")
    press(page, "Escape", "0", "Enter")
    expect(found.first).to_have_text("New here.")


COPIES = [
    "<p>The root keeps the scores small, so the softmax gets <em>larger</em> derivatives.</p>",
    "<p>The root keeps the scores small, so the softmax gets smaller derivatives.</p>",
    "<p>The root keeps the scores small so the softmax gets larger derivatives!</p>",
    "<p>No idea.</p>",
    "<p>The root keeps the scores small so the softmax gets larger derivatives!</p>",
]
"""The second says the opposite, and the third and the last are equal."""


def serve_copies():
    names = [f"{REPORT}-{number}" for number in range(1, 6)]
    return serve(COPIES, alike={names[0]: [[names[2], names[4]], [names[1]]]}), names


def test_alike_answers_are_marked_together_when_the_grader_says_so(visit):
    server, names = serve_copies()
    page = visit(server)
    begin(page)
    alike = page.get_by_role("region", name="3 alike answers")
    boxes = alike.get_by_role("checkbox")
    expect(boxes).to_have_count(2)
    expect(boxes.first).to_have_accessible_name("Same mark for 2 answers with this text")
    underlined = page.evaluate("[...CSS.highlights.get('differs')].map(String)")
    assert underlined == ["so", "!", "smaller"]  # the comma before "so" is missing
    expect(page.get_by_role("button", name="3 alike answers")).to_be_visible()
    press(page, "a", "Space", "1")
    expect(boxes.first).to_be_checked()
    expect(boxes.last).not_to_be_checked()
    expect(page.get_by_role("button", name="Save for 3 answers and next")).to_be_visible()
    press(page, "Enter")
    expect(status(page)).to_have_text("Saved: 1 of 3 points. The same for 2 other answers.")
    marks = [server.marked(name) for name in names]
    assert marks[0] == marks[2] == marks[4]
    assert marks[1] is marks[3] is None
    expect(answer(page)).to_contain_text("smaller derivatives")
    expect(alike).to_be_hidden()
    press(page, "u")
    expect(answer(page)).to_contain_text("larger derivatives.")
    press(page, "u")
    expect(answer(page)).to_contain_text("derivatives!")  # marked with the first, changed alone
    press(page, "1", "2", "Enter")
    expect(status(page)).to_contain_text("Saved: 1 of 3 points")
    assert [server.marked(name)["items"] for name in (names[0], names[4])] == [
        ["question"],
        ["pairs"],
    ]
    expect(answer(page)).to_contain_text("larger derivatives.")
    again = page.get_by_label("Same mark for 2 answers with this text, marked by you before")
    again.check()
    press(page, "1", "4", "Enter")
    expect(status(page)).to_contain_text("The same for 2 other answers.")
    changed = [server.marked(name)["items"] for name in (names[0], names[2], names[4])]
    assert changed == [["next"]] * 3


def test_the_answer_stays_in_sight_while_one_writes(visit):
    page = visit(serve(), height=700)
    begin(page)
    press(page, "c")
    expect(comment(page)).to_be_in_viewport()
    expect(answer(page)).to_be_in_viewport(ratio=0.5)
    expect(page.get_by_role("button", name="Save and next")).to_be_in_viewport()


@pytest.mark.parametrize(
    ("copy", "underlined"),
    [
        ("The gradient does vanish.", ["vanish"]),
        ("The gradient does not vanish", ["vanish"]),
        ("The GRADIENT does not vanish .", []),
        ("So the gradient does not vanish.", ["So"]),
        ("At all. The gradient does not vanish.", ["At", "all", "."]),
        ("Die Ableitungen ändern sich.", ["Die", "Ableitungen", "ändern", "sich"]),
    ],
)
def test_what_differs_is_underlined(visit, copy, underlined):
    texts = ["<p>The gradient does <b>not</b> vanish.</p>", f"<p>{copy}</p>"]
    page = visit(serve(texts, alike={f"{REPORT}-1": [[f"{REPORT}-2"]]}))
    begin(page)
    expect(page.get_by_role("region", name="1 alike answer")).to_be_visible()
    assert page.evaluate("[...CSS.highlights.get('differs')].map(String)") == underlined


def test_an_alike_answer_that_somebody_else_has_is_left_to_them(visit):
    server, names = serve_copies()
    page = visit(server)
    begin(page)
    page.get_by_label("Same mark for this answer").check()
    server.answers[names[1]]["marked"] = {"items": [], "flagged": False, "total": 0}
    press(page, "1", "Enter")
    expect(status(page)).to_contain_text("Somebody else has 1 of those you ticked.")
    assert server.marked(names[1])["items"] == []


def test_folds_stay_as_they_were(visit):
    page = visit(serve())
    begin(page)
    page.get_by_text("Model answer").click()
    page.get_by_text("Examples at each level").click()
    expect(page.get_by_text("9 out of 10 pairs")).to_be_visible()
    press(page, "1", "n")
    expect(answer(page)).to_contain_text("attention is important")
    page.reload()
    expect(page.get_by_text("9 out of 10 pairs")).to_be_visible()
    expect(page.get_by_text("It compares two runs, not pairs.")).to_be_visible()
    expect(page.get_by_text("Change one thing about the model")).to_be_visible()
    page.get_by_text("Task", exact=True).click()
    page.reload()
    expect(page.get_by_text("9 out of 10 pairs")).to_be_visible()
    expect(page.get_by_text("Change one thing about the model")).to_be_hidden()
    press(page, "1", "Enter")  # who clicked on a fold goes on with keys
    expect(answer(page)).to_contain_text("in one run")


def test_an_earlier_mark_leads_back_to_what_is_not_marked(visit):
    page = visit(serve())
    begin(page)
    press(page, "1", "Enter")
    expect(answer(page)).to_contain_text("was better")
    press(page, "m")
    page.get_by_role("dialog", name="Your marks").get_by_role("listitem").click()
    expect(answer(page)).to_contain_text("order of words")
    press(page, "2", "Enter")
    expect(answer(page)).to_contain_text("was better")
    press(page, "0", "Enter")
    expect(answer(page)).to_contain_text("in one run")


def test_comments_given_for_the_same_items_come_first(visit):
    page = visit(serve())
    begin(page)
    found = page.get_by_role("list", name="Earlier comments").get_by_role("button")
    press(page, "1", "c")
    page.keyboard.type("No pairs.")
    press(page, "Control+Enter")
    expect(answer(page)).to_contain_text("was better")
    press(page, "4")
    expect(found.first).to_have_text(COMMENTS[0])
    press(page, "4", "1")
    expect(found.first).to_have_text("No pairs.")


def test_the_whole_notebook_is_read_without_leaving_the_answer(visit):
    page = visit(serve())
    begin(page)
    press(page, "2", "w")
    shown = page.get_by_role("dialog", name="The whole notebook")
    expect(shown.get_by_text("Before.")).to_be_visible()
    expect(shown.get_by_text("whether the model needs to see")).to_be_in_viewport()
    press(page, "1", "Escape")
    expect(shown).to_be_hidden()
    expect(total(page)).to_have_text("1 of 3 points")


def test_any_mark_can_be_found_and_changed(visit):
    server = serve()
    page = visit(server)
    begin(page)
    for text, keys in (("order of words", "12f"), ("was better", "0"), ("in one run", "4")):
        expect(answer(page)).to_contain_text(text)
        press(page, *keys, "Enter")
    expect(page.get_by_role("heading", name="Nothing more to mark here")).to_be_focused()
    page.get_by_role("button", name="Look at your marks").click()
    rows = page.get_by_role("dialog", name="Your marks").get_by_role("listitem")
    expect(rows).to_have_count(3)
    page.get_by_label("Only those for which").check()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("2 of 3 points · for 1, 2 · flagged")
    page.get_by_label("Only those for which").uncheck()
    page.get_by_label("Find answers and comments").fill("IN ONE run")
    expect(rows).to_have_count(1)
    press(page, "Enter")
    expect(answer(page)).to_contain_text("in one run")
    expect(page.get_by_text("marked", exact=True).and_(page.locator("#turn"))).to_be_visible()
    press(page, "1", "Enter")
    expect(status(page)).to_contain_text("Saved: 1.5 of 3 points.")
    expect(page.get_by_role("heading", name="Nothing more to mark here")).to_be_visible()
    assert server.marked(f"{REPORT}-3")["items"] == ["question", "next"]
    press(page, "m")
    page.get_by_label("Find answers and comments").fill("nothing like it")
    expect(page.get_by_text("There are none.")).to_be_visible()


def test_only_the_time_in_which_the_answer_is_seen_counts(visit):
    server = serve()
    page = visit(server)
    page.clock.install()
    page.reload()
    expect(page.get_by_role("button", name="Mark ablation report")).to_be_visible()
    begin(page)
    hide = "state => {Object.defineProperty(document, 'visibilityState', {get: () => state,"
    hide += " configurable: true}); document.dispatchEvent(new Event('visibilitychange'))}"
    page.clock.run_for(20_000)
    page.evaluate(hide, "hidden")
    page.clock.run_for(600_000)
    page.evaluate(hide, "visible")
    page.clock.run_for(10_000)
    press(page, "1", "Enter")
    expect(status(page)).to_contain_text("Saved")
    assert 30 <= server.answers[f"{REPORT}-1"]["seconds"] < 60


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_keeps_nobody_out(visit, width, scheme):
    alike = {f"{REPORT}-1": [[f"{REPORT}-2"], [f"{REPORT}-3"]]}
    server = serve(again={REPORT: ["<p>Second.</p>"]}, alike=alike)
    page = visit(server, width, scheme)
    window = Window(page, f"marking-{width}-{scheme}")
    found = {"list": Axe().run(page).response["violations"]}
    window.shot("list")
    begin(page)
    expect(page.get_by_role("region", name="2 alike answers")).to_be_visible()
    found["question"] = Axe().run(page).response["violations"]
    window.shot("question")
    press(page, "1", "2", "p", "1")
    for fold in page.locator("summary").all():
        fold.click()
    found["unfolded"] = Axe().run(page).response["violations"]
    window.shot("unfolded")
    for key, name in (("w", "The whole notebook"), ("m", "Your marks")):
        leave_field(page)
        press(page, key)
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        found[name] = Axe().run(page).response["violations"]
        window.shot(name)
        press(page, "Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
    server.refuse_saving = "The gradebook is locked."
    press(page, "Control+Enter")
    expect(page.locator("#problem")).to_be_visible()
    found["failure"] = Axe().run(page).response["violations"]
    window.shot("failure")
    press(page, "?")
    found["keys"] = Axe().run(page).response["violations"]
    window.shot("keys")
    said = [
        f"{view}: {rule['id']}: {[node['html'] for node in rule['nodes']]}"
        for view, rules in found.items()
        for rule in rules
    ]
    assert not said, "\n\n".join(said)


HOSTILE = (
    f"<p>{'a' * 5_000}</p><p dir='rtl'>{'שלום ' * 200}\u202e</p>"
    f"<table><tr>{'<td style=padding:5000px>wide</td>' * 40}</tr></table>"
    "<div style='position: fixed; inset: 0; z-index: 999; background: red'>over all</div>"
    "<div style='margin: -9000px; padding: 9000px'>pushed</div>"
    f"<img src='/leak-image' onerror=\"{ran('image')}\"><script>{ran('script')}</script>"
    "<iframe src='/leak-frame'></iframe>"
    f'<iframe srcdoc="<script>{ran("frame")}</script>"></iframe>'
    "<p style='background: url(/leak-background)'>text</p><video src='/leak-video'></video>"
    f"<details open ontoggle=\"{ran('details')}\"></details><object data='/leak-object'></object>"
    f"<p>{'many words ' * 20_000}</p>"
)


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_a_hostile_answer_stays_in_its_box(visit, width):
    server = serve([HOSTILE, *ANSWERS, HOSTILE], alike={f"{REPORT}-1": [[f"{REPORT}-5"]]})
    page = visit(server, width)
    begin(page)
    expect(page.get_by_role("region", name="1 alike answer")).to_be_visible()
    page.wait_for_timeout(500)
    Window(page, f"marking-hostile-{width}").shot("question")
    for _ in range(2):
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0
        for summary in page.locator("summary").all()[:3]:
            summary.click()
    scrolled = "e => { e.scrollTo(9e6, 9e6); return [e.scrollLeft > 0, e.scrollTop > 0] }"
    assert answer(page).evaluate(scrolled) == [True, True]
    for name in ("Save and next", "Back", "Keys", "All questions"):
        button = page.get_by_role("button", name=name, exact=True)
        button.scroll_into_view_if_needed()
        covered = "e => { const r = e.getBoundingClientRect(); return !e.contains("
        covered += "document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)) }"
        assert not button.evaluate(covered), name
    traces = page.evaluate("Object.keys(document.documentElement.dataset)")
    assert (traces, leaks(server)) == ([], [])
    press(page, "1", "n")  # on a fold, Enter would open that
    expect(status(page)).to_contain_text("Saved: 1 of 3 points.")


def leaks(server):
    return [path for _, path in server.asked if "leak" in path]


def test_without_the_policy_the_same_answer_does_run_and_load(visit):
    server = serve([HOSTILE], restricted=False)
    page = visit(server)
    begin(page)
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.dataset.image") == "ran"
    assert {"/leak-image", "/leak-frame", "/leak-background"} <= set(leaks(server))
