"""LTI 1.3 through the instructor's command, with a platform of the tests' own on the other side."""

import json
import os
import shlex
import shutil
import stat
import sys

import jwt
import nbformat
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from autograder.course_folder import CONFIG, CourseFolder
from autograder.lti.registration import Registration
from autograder.record import CellResult, Judgement, NotebookResult
from autograder.roster.roster import read_roster
from selfcheck.verdicts import Verdict
from tests.conftest import flat, write_configuration
from tests.support.lti_platform import INSTRUCTOR, LEARNER, MEMBERSHIP, Objection, Platform
from tests.support.pages import blocks

# nbgrader's own queries
pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

LESSON = "words"
BLOCKS = list(blocks("lti.md"))
POINTS = {"ada": 3.5, "ben": 0.1 + 0.2, "cem": 4, "dan": None}
"""By student; None where a person still has to look. Zoë handed in nothing."""

EVIL = "<img src=x onerror=alert(1)> & 𝔘"


def member(user_id, given="", family="", *roles, **more):
    """A person as a platform describes them."""
    fields = {"given_name": given, "family_name": family, "email": f"{given.lower()}@example.org"}
    return (
        {"user_id": user_id, "status": "Active", "roles": [*(roles or [LEARNER])]} | fields | more
    )


CLASS = [
    member("u-ada", "Ada", "Lovelace", lis_person_sourcedid="S-17"),
    member("u-Ben", "Ben", "Ünal"),
    member("u-tea", "Tea", "Cher", INSTRUCTOR),
    member("3", "Cem", "Yılmaz", "Learner"),
    member("u-dan", "Dan", "Ode", f"{MEMBERSHIP}/Learner#NonCreditLearner"),
    member("u-zoe", "Zoe", "Quiet"),
]


@pytest.fixture(scope="module")
def graded_once(tmp_path_factory):
    """A course whose grades are written as a grading leaves them."""
    root = tmp_path_factory.mktemp("course")
    write_configuration(root)
    course = CourseFolder(root)
    for path in (root / "source", *(root / "autograded" / student for student in POINTS)):
        (path / LESSON).mkdir(parents=True)
        nbformat.write(notebook(path.name), path / LESSON / f"{LESSON}.ipynb")
    with course.quiet(), course.nbgrader.gradebook as gradebook:
        gradebook.add_assignment(LESSON)
        gradebook.add_notebook(LESSON, LESSON)
        gradebook.add_grade_cell("emails", LESSON, LESSON, max_score=4, cell_type="code")
        for student, points in POINTS.items():
            gradebook.add_student(student, email=f"{student}@example.org")
            gradebook.add_submission(LESSON, student)
            set_points(gradebook, student, points)
    return root


def notebook(student):
    """What a graded notebook holds: the verdict in its record."""
    name = "preprocessing.find_emails"
    cell = nbformat.v4.new_code_cell(f'check("{name}", f)\ngrade("{name}", f)', id="emails")
    own = {"grade_id": "emails", "grade": True, "solution": False, "locked": True, "points": 4}
    cell.metadata.nbgrader = own | {"schema_version": 3, "task": False, "cell_type": "code"}
    judged = Judgement(name, Verdict(name, reason=f"{student} wrote {EVIL}"), seed=1)
    graded = nbformat.v4.new_notebook(cells=[cell])
    NotebookResult((CellResult("emails", 4.0, judged=judged),)).write(graded)
    return graded


def set_points(gradebook, student, points):
    grade = gradebook.find_grade("emails", LESSON, LESSON, student)
    grade.auto_score, grade.needs_manual_grade = points, points is None
    gradebook.db.commit()


def regrade(root, **points):
    course = CourseFolder(root)
    with course.quiet(), course.nbgrader.gradebook as gradebook:
        for student, value in points.items():
            set_points(gradebook, student, value)


@pytest.fixture
def root(graded_once, tmp_path):
    return shutil.copytree(graded_once, tmp_path / "course")


@pytest.fixture
def platform(tmp_path, monkeypatch):
    with Platform(tmp_path) as platform:
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(platform.certificate))
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        platform.members = list(CLASS)
        yield platform


def configure(root, **options):
    lines = [f"c.LTI.{name} = {value!r}\n" for name, value in options.items()]
    with (root / CONFIG).open("a") as file:
        file.writelines(lines)


@pytest.fixture
def lti(root, platform, autograder):
    """Run a command of a registered tool."""
    configure(root, **platform.options)
    platform.read_key(autograder("lti", "keys", course=root).out)
    return lambda *arguments: autograder("lti", *arguments, course=root)


@pytest.fixture
def ready(lti):
    """The class is known, and there is a column."""
    assert lti("roster").code == 0
    assert lti("column", LESSON).code == 0
    return lti


def test_the_key_is_made_once_outside_the_course_for_this_account_alone(root, platform, autograder):
    made = autograder("lti", "keys", course=root)
    path = platform.certificate.parent / "home" / ".config" / "autograder" / "lti.pem"
    private = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert private.startswith("-----BEGIN PRIVATE KEY-----")
    assert f"The private key was made: {path}" in made.out
    again = autograder("lti", "keys", course=root)
    assert path.read_text() == private
    assert made.out.replace(" was made", "") == again.out
    assert "-----BEGIN PUBLIC KEY-----" in made.out and "PRIVATE" not in made.out
    one, many = (json.loads(line) for line in made.out.splitlines() if line.startswith("{"))
    assert many == {"keys": [one]}
    assert one.keys() == {"kty", "n", "e", "kid", "alg", "use"}


@pytest.mark.parametrize("place", ["lti.pem", "{root}/lti.pem", "{root}/deeper/../lti.pem"])
def test_no_key_is_made_in_the_course_folder(root, platform, autograder, place):
    configure(root, key_file=place.format(root=root))
    said = autograder("lti", "keys", course=root)
    assert said.code == 2 and "is in the course folder" in flat(said.err)
    assert not list(root.rglob("*.pem"))


def test_a_key_that_others_can_read_or_that_is_none_is_refused(lti, platform):
    path = platform.certificate.parent / "home" / ".config" / "autograder" / "lti.pem"
    path.chmod(0o640)
    assert "chmod 600" in flat(lti("roster").err)
    path.chmod(0o600)
    path.write_text("no key")
    assert "isn't an RSA key" in flat(lti("roster").err)
    path.unlink()
    assert "`autograder lti keys` creates a key" in flat(lti("roster").err)
    assert not platform.asked


def test_what_the_page_says_to_type(root, platform, autograder):
    for block in BLOCKS:
        if block.language == "python":
            with (root / CONFIG).open("a") as file:
                file.write(block.text)
            registration = Registration(CourseFolder(root))
            told = {name: registration.address(name) for name in platform.options}
            assert all(f'"{value}"' in block.text for value in told.values())
            configure(root, **platform.options)
        elif block.language == "sh":
            for line in block.text.replace("03-attention", LESSON).splitlines():
                done = autograder(*shlex.split(line)[1:], course=root)
                assert done.code == 0, done.err
                platform.read_key(done.out)
    assert len(platform.scores) == 3


def other_key():
    return rsa.generate_private_key(65537, 2048)


@pytest.mark.parametrize(
    ("claims", "options"),
    [
        ({"aud": "https://127.0.0.1/else"}, {}),
        ({"iss": "else"}, {}),
        ({"sub": "else"}, {}),
        ({"exp": 1}, {}),
        ({"iat": 9_999_999_999}, {}),
        ({"exp": 9_999_999_999}, {}),
        ({"jti": ""}, {}),
        ({}, {"key": other_key}),
        ({}, {"headers": {"kid": "else"}}),
        ({}, {"key": lambda: "x" * 32, "algorithm": "HS256"}),
    ],
)
def test_the_tests_platform_refuses_what_is_forged(lti, root, platform, claims, options):
    """And what is right, once."""
    registration = Registration(CourseFolder(root))
    assertion = registration.assertion()
    platform._check_assertion(assertion)
    with pytest.raises(Objection, match="used before"):
        platform._check_assertion(assertion)
    said = jwt.decode(registration.assertion(), options={"verify_signature": False}) | claims
    own = {"algorithm": "RS256", "headers": {"kid": platform.key["kid"]}} | options
    key = own.pop("key", lambda: registration._key)()
    with pytest.raises(Objection):
        platform._check_assertion(jwt.encode(said, key, **own))


def test_the_roster_holds_learners_of_all_pages(lti, root, platform):
    dry = lti("roster", "--dry-run")
    assert dry.code == 0 and "this is a dry run" in flat(dry.out)
    assert not (root / "roster.json").exists()
    said = lti("roster")
    assert said.code == 0, said.err
    people = {person.student: person for person in read_roster(CourseFolder(root)).people}
    assert {name: person.lti_user_id for name, person in people.items()} == {
        "ada": "u-ada",
        "ben": "u-Ben",
        "cem": "3",
        "dan": "u-dan",
        "zoe": "u-zoe",
    }
    assert (people["ada"].full_name, people["ada"].sis_id) == ("Ada Lovelace", "S-17")
    assert people["cem"].full_name == "Cem Yılmaz"
    assert "member 3, Tea Cher: Instructor, not a student" in flat(said.out)
    assert [path for _, path in platform.asked if "Bookmark" in path][-1].endswith("Bookmark=X4")
    again = lti("roster")
    assert "5 people: 0 new, 0 changed, 5 unchanged" in flat(again.out)


@pytest.mark.parametrize(
    ("odd", "left_out"),
    [
        (member("9", "Tim", "Aid", f"{MEMBERSHIP}/Instructor#TeachingAssistant"), "Instructor"),
        (member("9", "Both", "Ways", LEARNER, INSTRUCTOR), "Instructor and Learner"),
        (
            member(
                "9",
                "In",
                "School",
                "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Student",
            ),
            "without a role",
        ),
        (member("9", "Gone", "Away", status="Inactive"), "Inactive, not active"),
        (
            member(
                "9",
                "Test",
                "Student",
                LEARNER,
                "http://purl.imsglobal.org/vocab/lti/system/person#TestUser",
            ),
            "test user",
        ),
        (member("9", "No", "Roles") | {"roles": None}, "without a role"),
    ],
)
def test_who_is_no_student_of_the_course_is_left_out(lti, root, platform, odd, left_out):
    platform.members.append(odd)
    said = lti("roster")
    assert said.code == 0 and left_out in flat(said.out)
    assert "9" not in {person.lti_user_id for person in read_roster(CourseFolder(root)).people}


def test_members_without_a_name_an_address_or_an_id(lti, root, platform):
    platform.members += [
        {"user_id": "5f3e-77", "roles": ["Learner"]},
        {"user_id": "\x1b[2J88", "roles": ["Learner"], "name": "Zed \n Zulu", "email": None},
        {"roles": ["Learner"], "name": "Nobody"},
        {"user_id": "x" * 500, "roles": ["Learner"]},
    ]
    said = lti("roster")
    assert said.code == 1
    assert "the platform gave no user_id" in flat(said.out)
    assert "has 500 characters" in flat(said.out)
    people = {person.student: person for person in read_roster(CourseFolder(root)).people}
    assert people["5f3e-77"].lti_user_id == "5f3e-77"
    assert "Zed Zulu" in flat(said.out) and "\x1b[2J" not in said.out


def test_a_column_is_made_once_and_follows_the_lesson(lti, root, platform):
    for other in ("a", "b", "c"):
        platform.add_line_item(label=LESSON, resourceId=other, scoreMaximum=9)
    dry = lti("column", LESSON, "--dry-run")
    assert "a new column with 4 points" in dry.out and len(platform.line_items) == 3
    assert lti("column", LESSON).code == 0
    item = platform.line_items[4]
    assert (item["label"], item["resourceId"], item["scoreMaximum"]) == (LESSON, LESSON, 4)
    assert "its column exists" in lti("column", LESSON).out
    assert len(platform.line_items) == 4
    item["scoreMaximum"], item["tag"] = 10, "theirs"
    assert "from 10 to 4 points" in lti("column", LESSON).out
    assert platform.line_items[4]["scoreMaximum"] == 4
    assert platform.line_items[4]["tag"] == "theirs"


def test_grades_arrive_with_comments_and_only_what_changed_is_sent_again(ready, root, platform):
    dry = ready("grades", LESSON, "--dry-run")
    assert dry.code == 0 and not platform.scores and not (root / "lti.json").exists()
    assert "ada (Ada Lovelace) 3.5 of 4" in flat(dry.out) and EVIL in flat(dry.out)
    said = ready("grades", LESSON)
    assert said.code == 0, said.err
    assert "3 new, 2 without a grade" in flat(said.out)
    arrived = {score["userId"]: score for _, score in platform.scores}
    assert {user: score["scoreGiven"] for user, score in arrived.items()} == {
        "u-ada": 3.5,
        "u-Ben": 0.3,
        "3": 4,
    }
    assert {score["scoreMaximum"] for score in arrived.values()} == {4}
    assert arrived["u-ada"]["comment"] == f"emails: 3.5 of 4 points. ada wrote {EVIL}"
    assert arrived["u-ada"]["gradingProgress"] == "FullyGraded"
    assert "3 unchanged, 2 without a grade" in flat(ready("grades", LESSON).out)
    assert len(platform.scores) == 3
    regrade(root, ben=2, dan=1)
    assert "1 new, 1 changed, 2 unchanged" in flat(ready("grades", LESSON).out)
    assert [score["userId"] for _, score in platform.scores[3:]] == ["u-Ben", "u-dan"]
    regrade(root, ben=None)
    said = ready("grades", LESSON)
    assert "2 of 4 needs manual grading: the grade sent before is kept" in flat(said.out)
    assert len(platform.scores) == 5


def test_one_refused_grade_is_a_row_and_is_sent_the_next_time(ready, platform):
    gone = platform.members.pop(1)
    said = ready("grades", LESSON)
    assert said.code == 1 and "2 new" in flat(said.out) and "1 not sent" in flat(said.out)
    assert "Not gradable in this course <user>" in flat(said.out)
    platform.members.append(gone)
    assert "1 new, 2 unchanged" in flat(ready("grades", LESSON).out)
    assert [score["userId"] for _, score in platform.scores] == ["u-ada", "3", "u-Ben"]


@pytest.mark.parametrize("status", [400, 404, 409, 500])
def test_an_error_of_one_student_stops_nobody_elses(ready, platform, status):
    platform.answers["/scores"] = (status, {})
    said = ready("grades", LESSON)
    assert said.code == 1 and f"gave {status}" in flat(said.out)
    assert [score["userId"] for _, score in platform.scores] == ["u-Ben", "3"]
    assert ready("grades", LESSON).code == 0
    assert len(platform.scores) == 3


def test_a_student_whose_id_is_unknown_is_named_and_the_others_get_theirs(lti, platform):
    platform.members = [each for each in CLASS if each["user_id"] != "u-Ben"]
    lti("roster", "--partial")
    lti("column", LESSON)
    said = lti("grades", LESSON)
    assert said.code == 1 and "autograder lti roster" in flat(said.out)
    assert [score["userId"] for _, score in platform.scores] == ["u-ada", "3"]


def test_a_busy_platform_is_asked_again(ready, platform):
    platform.answers |= {
        "/scores": (429, {"Retry-After": "0"}),
        "Token": (503, {"Retry-After": "0"}),
    }
    assert ready("grades", LESSON).code == 0
    assert len(platform.scores) == 3


def forget_tokens(platform):
    platform._tokens.clear()


def stay_busy(platform):
    raise Objection(429, "Too Many Requests", {"Retry-After": "0"})


def fall_silent(platform):
    raise ConnectionAbortedError


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (forget_tokens, "gave 401"),
        (stay_busy, "gave 429"),
        (fall_silent, "cannot be reached (no connection)"),
    ],
)
def test_what_arrived_before_a_stop_is_not_sent_again(ready, platform, monkeypatch, happens, why):
    take = Platform._score

    def score(self, *arguments):
        if len(self.scores) == 1:
            happens(self)
        return take(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Platform, "_score", score)
        said = ready("grades", LESSON)
    assert said.code == 2 and why in flat(said.err)
    assert "1 new" in flat(said.out)
    assert "2 new, 1 unchanged" in flat(ready("grades", LESSON).out)
    assert [score["userId"] for _, score in platform.scores] == ["u-ada", "u-Ben", "3"]


def test_a_token_is_renewed_before_it_expires(ready, platform):
    platform.token_life = 30  # less than the minute that is left to each
    platform.asked.clear()
    assert ready("grades", LESSON).code == 0
    assert sum(path == "/login/Token" for _, path in platform.asked) == 4


def test_a_column_that_vanished_is_made_again_and_gets_every_grade(ready, platform):
    assert ready("grades", LESSON).code == 0
    platform.line_items.clear()
    said = ready("grades", LESSON)
    assert said.code == 2 and f"autograder lti column {LESSON}" in flat(said.err)
    assert ready("column", LESSON).code == 0
    assert "3 new" in flat(ready("grades", LESSON).out)
    assert [number for number, _ in platform.scores] == [1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p: setattr(p, "key", None), "Is the public key from"),
        (lambda p: setattr(p, "client_id", "else"), "Is the public key from"),
        (lambda p: setattr(p, "audience", "https://else.example.org"), "Is the public key"),
        (lambda p: p.allowed.clear(), "is the service allowed"),
        (lambda p: p.answers.update({"Token": (500, {})}), "try again later"),
        (lambda p: p.answers.update({"memberships": (403, {})}), "The administrator has to allow"),
        (
            lambda p: p.answers.update(
                {"memberships": (301, {"Location": "https://new.example.org"})}
            ),
            "has moved to https://new.example.org",
        ),
        (
            lambda p: p.answers.update({"Token": (301, {"Location": "http://x\x1b[2J"})}),
            "an invalid answer",
        ),
        (lambda p: p.__exit__(), "cannot be reached (no connection)"),
        (lambda p: os.environ.pop("REQUESTS_CA_BUNDLE"), "certificate isn't valid"),
        (lambda p: setattr(p, "members", "text"), "returned no list of members"),
        (lambda p: setattr(p, "members", [1]), "returned no list of members"),
    ],
)
def test_what_is_wrong_for_everybody_stops_with_what_to_do(lti, root, platform, change, said):
    change(platform)
    stopped = lti("roster")
    assert stopped.code == 2 and said in flat(stopped.err), stopped.err
    assert "Traceback" not in stopped.err and "\x1b[2J" not in stopped.err
    assert not (root / "roster.json").exists()


def test_an_audience_of_its_own_is_configured(lti, root, platform):
    platform.audience = "https://api.example.org/auth/token"
    configure(root, audience=platform.audience)
    assert lti("roster").code == 0


@pytest.mark.parametrize(
    ("option", "command"),
    [("token_url", "roster"), ("members_url", "roster"), ("line_items_url", "column")],
)
@pytest.mark.parametrize("url", ["http://127.0.0.1/x", "127.0.0.1/x", "https://[x", "file:///x"])
def test_nothing_is_sent_without_encryption(lti, root, platform, option, command, url):
    configure(root, **{option: url})
    said = lti(command, *[LESSON][: command == "column"])
    assert said.code == 2 and f"c.LTI.{option} is '{url}'" in flat(said.err)
    assert not [path for _, path in platform.asked if path != "/login/Token"]


@pytest.mark.parametrize("url", ["http://127.0.0.1/x", "https://[x", "//[", "ftp://127.0.0.1/x"])
def test_no_address_of_the_platforms_own_leads_out_of_encryption(ready, platform, url):
    platform.line_items[1]["id"] = url
    said = ready("grades", LESSON)
    assert "must begin with https://" in flat(said.err + said.out)
    platform._paged = lambda items, *_: (items[:1], {"Link": f'<{url}>; rel="next"'})
    said = ready("roster")
    assert said.code == 2 and "must begin with https://" in flat(said.err)
    assert not platform.scores


def test_pages_that_go_round_in_a_circle_end(ready, platform):
    platform._paged = lambda items, *_: (items, {"Link": '<?type_id=4>; rel="next"'})
    assert ready("roster").code == 0


def test_an_option_that_is_missing_or_misspelt_is_named(root, platform, autograder):
    autograder("lti", "keys", course=root)
    said = autograder("lti", "roster", course=root)
    assert said.code == 2 and "doesn't set c.LTI.members_url" in flat(said.err)
    configure(root, clientid="1")
    said = autograder("lti", "roster", course=root)
    assert "c.LTI.clientid (did you mean client_id?)" in flat(said.err)


def test_a_password_in_netrc_does_not_take_the_tokens_place(ready, platform):
    home = platform.certificate.parent / "home"
    (home / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    (home / ".netrc").chmod(0o600)
    assert ready("grades", LESSON).code == 0
    assert len(platform.scores) == 3


def test_a_student_with_a_new_id_is_sent_nothing_again(ready, root, platform, autograder):
    ready("grades", LESSON)
    assert autograder("rename-student", "ada", "adele", course=root).code == 0
    assert "3 unchanged" in flat(ready("grades", LESSON).out)
    assert "5 unchanged" in flat(ready("roster").out)


@pytest.mark.parametrize("package", ["jwt", "cryptography"])
def test_a_missing_package_is_named(root, platform, autograder, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    said = autograder("lti", "keys", course=root)
    assert said.code == 2 and "pip install cryptography pyjwt" in flat(said.err)


def test_a_broken_record_of_what_was_sent_is_named(ready, root, platform):
    (root / "lti.json").write_text("[")
    said = ready("grades", LESSON)
    assert said.code == 2 and "every grade is sent again" in flat(said.err)
    assert not platform.scores


def test_the_key_is_in_no_output_and_in_no_file_of_the_course(ready, root, platform):
    path = platform.certificate.parent / "home" / ".config" / "autograder" / "lti.pem"
    secret = path.read_text().splitlines()[5]
    outputs = [ready("keys"), ready("grades", LESSON)]
    platform.key = None
    outputs.append(ready("grades", LESSON))
    assert not [each for each in outputs if secret in each.out + each.err]
    files = [path for path in root.rglob("*") if path.is_file()]
    assert not [path for path in files if secret.encode() in path.read_bytes()]
