"""Archives and lists as learning platforms write them, rule by rule from their own code.

- Moodle: ``mod/assign/classes/downloader.php`` names the files of "Download all submissions"
  (``get_student_prefix``, ``load_submissionplugin_filelist``); ``clean_param`` in
  ``lib/moodlelib.php`` (later ``lib/classes/param.php``) removes characters (``PARAM_FILE``), and
  since 3.10 ZipStream (``filterFilename``) writes an underscore for a star and the like;
  ``mod/assign/submission/onlinetext/locallib.php`` names the online text;
  ``mod/assign/gradingtable.php`` writes the grading worksheet (``col_recordid``,
  ``col_timesubmitted``, which is ``userdate()`` in the reader's language and zone).
- Canvas: ``lib/content_zipper.rb`` names the files of "Download Submissions" (``get_filename``,
  ``sanitize_user_name``, ``sanitize_file_name``, ``sanitize_attachment_filename``);
  ``Assignment#representatives`` (``app/models/assignment.rb``) gives one member of a group its
  name; ``Attachment.make_unique_filename`` (``app/models/attachment.rb``) numbers what is uploaded
  again; ``lib/api/v1/submission.rb`` lists submissions.
- Gradescope's source isn't public: its export is a folder ``assignment_<id>_export`` with
  ``submission_<id>`` folders and ``submission_metadata.yml``, as Ruby's YAML writes it; read were
  files that it exported and programs that read them.

- Brightspace's and Blackboard's source isn't public: their names are as in downloads that programs
  on GitHub read. Brightspace writes a folder per submission, or puts the same before the file's
  name, and an index.html; Blackboard puts its name before each file, and writes a text per attempt.

They write their archives when somebody asks for one: the times of the files are the download's.
"""

import html
import io
import json
import re
import unicodedata
import warnings
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

DOWNLOADED = (2026, 7, 1, 12, 0, 0)


def packed(members, time=DOWNLOADED):
    """A zip archive's bytes; members by name, or pairs with a ZipInfo of their own."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a duplicate name
        for name, content in members.items() if isinstance(members, dict) else members:
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name, time)
            if info.compress_type == zipfile.ZIP_STORED:
                info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


@dataclass(frozen=True)
class Handed:
    """What somebody, or a group, handed in.

    Args:
        name: full name for Moodle, sortable name ("Doe, Jane") for Canvas, of a group its name.
        number: Moodle's participant (of a group: the group's number, "" of the default group),
            Canvas' user (of a group: the representative's).
        files: contents by name, or by path for Moodle.
        late: whether Canvas says so.
        anonymous_id: Canvas' for this submission.
        text: typed into Moodle's or Canvas' editor.
        link: a web address, for Canvas.
    """

    name: str
    number: int | str
    files: Mapping[str, bytes] = field(default_factory=dict)
    late: bool = False
    anonymous_id: str = ""
    text: str = ""
    link: str = ""


def moodle(
    people: Iterable[Handed],
    *,
    folders=True,
    blind=False,
    participant="Participant",
    zip_stream=True,
):
    """Members of Moodle's "Download all submissions".

    Args:
        people: who handed something in.
        folders: "Download submissions in folders".
        blind: "Anonymous submissions".
        participant: the teacher's language has its own word.
        zip_stream: whether ZipStream packs, as since Moodle 3.10.
    """
    members = {}
    for person in people:
        name = participant if blind else person.name
        prefix = name.replace("_", " ") + (f"_{person.number}" if person.number != "" else "")
        files = [("file", path, content) for path, content in person.files.items()]
        if person.text:
            files.append(("onlinetext", "onlinetext.html", person.text.encode()))
        for plugin, path, content in files:
            parts = [_param_file(part) for part in path.split("/")]
            start = _param_file(f"{prefix}_assignsubmission_{plugin}")
            whole = "/".join([start, *parts]) if folders else f"{start}_{parts[-1]}"
            members[re.sub(r'[*?"<>|:\\]', "_", whole) if zip_stream else whole] = content
    return members


def _param_file(text):
    return "".join(
        each for each in text if each not in "&<>\"`|':\\/" and unicodedata.category(each) != "Cc"
    )


def canvas(people: Iterable[Handed], *, anonymous=False, first_upload=67_000):
    """Members of Canvas' "Download Submissions".

    Args:
        people: who handed something in.
        anonymous: "Graders cannot view student names".
        first_upload: the first file's number; later uploads have higher ones.
    """
    members, upload = {}, first_upload
    for person in people:
        pages = {"text": person.text, "link": person.link}
        for name, content in [*person.files.items(), *filter(all, pages.items())]:
            upload += 1
            user = re.sub(r"_(\d+)_", r"\1", person.name).lower()
            parts = [
                *([] if anonymous else [user]),
                *(["LATE"] if person.late else []),
                f"anon_{person.anonymous_id}" if anonymous else str(person.number),
            ]
            start = re.sub(r"[^\w]", "", "_".join(parts))
            if name in pages:  # as redirect_page.html.erb and text_entry_page.html.erb have it
                to = html.escape(content)
                page = f'<meta http-equiv="refresh" content="0;url={to}"><a href="{to}">{to}</a>'
                page = content if name == "text" else page
                members[f"{start}_{name}.html"] = f"<html><body>{page}</body></html>".encode()
                continue
            own = re.sub(r'[\x00/\\:*?"<>|]+', "_", name)
            members[f"{start}_{upload}_{own}"] = content
    return members


def uploaded_again(name, times):
    """A file's name after Canvas numbered it, as one of that name was uploaded so often before."""
    stem, dot, kind = name.rpartition(".")
    return f"{stem}-{times}{dot}{kind}" if times else name


@dataclass(frozen=True)
class Exported:
    """A submission to Gradescope.

    Args:
        number: of the submission.
        submitters: (name, sid, email) of each.
        files: contents by path.
        time: when it was created; None leaves that out.
    """

    number: int
    submitters: tuple[tuple[str, str, str], ...]
    files: Mapping[str, bytes]
    time: datetime | None = None


def gradescope(submissions: Iterable[Exported], root="assignment_9100_export"):
    """Members of Gradescope's "Export Submissions"."""
    members, lines = {}, ["---"]
    for each in submissions:
        folder = f"submission_{each.number}"
        lines += [f"{folder}:", "  :submitters:"]
        for name, sid, email in each.submitters:
            lines += [f"  - :name: {name}", f"    :sid: {sid!r}", f"    :email: {email}"]
        if each.time:
            utc = each.time.astimezone(UTC)
            lines.append(f"  :created_at: {utc:%Y-%m-%d %H:%M:%S.%f}000 Z")
        lines += ["  :score: 0.0", "  :status: processed", "  :history: []"]
        for path, content in each.files.items():
            members[f"{root}/{folder}/{path}"] = content
    return {f"{root}/submission_metadata.yml": "\n".join(lines).encode() + b"\n", **members}


def brightspace(people: Iterable[tuple[Handed, datetime]], *, folders=True):
    """Members of Brightspace's download of an assignment: what each handed in, and when."""
    members = {"index.html": b"<table>Jane Doe</table>"}
    for person, time in people:
        when = f"{time:%b} {time.day}, {time.year} {time.hour % 12 or 12}{time:%M} {time:%p}"
        for name, content in person.files.items():
            members[
                f"{person.number}-640693 - {person.name} - {when}{'/' if folders else ' - '}{name}"
            ] = content
    return members


def blackboard(people: Iterable[tuple[Handed, datetime]], *, assignment="ps_1", attempt="attempt"):
    """Members of Blackboard's "Assignment File Download"; names are logins."""
    members = {}
    for person, time in people:
        start = f"{assignment}_{person.name}_{attempt}_{time:%Y-%m-%d-%H-%M-%S}"
        members |= {f"{start}_{name}": content for name, content in person.files.items()}
        lines = (f"Name: Jane ({person.name})", "Submission Field:", person.text, "Files:")
        members[f"{start}.txt"] = "\n".join(lines).encode()
    return members


def worksheet(rows, *, blind=False, identifier="Participant ", time="Last modified (submission)"):
    """Moodle's grading worksheet, as the bytes of a CSV file.

    Args:
        rows: (participant, full name, e-mail, group, time of handing in as text), and perhaps the
            status.
        blind: without names.
        identifier: what is before the participant's number in the teacher's language.
        time: the header of the column with the times.
    """
    header = [
        *(["Identifier"] if blind else ["Identifier", "Full name", "Email address"]),
        *("Status", "Group", "Grade", "Maximum grade", "Grade can be changed"),
        *(time, "Last modified (grade)", "Feedback comments"),
    ]
    table = [header]
    for number, name, email, group, when, *told in rows:
        named = [] if blind else [name, email]
        status = "Submitted for grading -  - " if when != "-" else "No submission -  - "
        status = told[0] if told else status
        table.append(
            [f"{identifier}{number}", *named, status, group, "", "19.00", "Yes", when, "-", ""]
        )
    return php_table(table).encode("utf-8-sig")


def php_table(rows, separator=","):
    """A CSV file as PHP writes it, which Moodle is made of."""
    special = {separator, '"', "\n", "\t", " "}

    def quoted(cell):
        return '"' + cell.replace('"', '""') + '"' if special & set(cell) else cell

    return "".join(separator.join(map(quoted, row)) + "\n" for row in rows)


def canvas_submissions(rows, *, in_browser=True):
    """Canvas' answer about an assignment's submissions; rows are its fields, some of them."""
    text = json.dumps([{"workflow_state": "submitted", "late": False, **row} for row in rows])
    return (("while(1);" if in_browser else "") + text).encode()
