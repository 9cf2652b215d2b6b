"""Archives that are damaged, made to do harm, or have names in other code pages."""

import struct
import zipfile
import zlib

import pytest

from autograder.collect import archives
from autograder.collect.archives import LITTLE_BYTES, MOST_BYTES
from autograder.course_folder import CourseFolder
from tests.conftest import LESSON
from tests.support.archives import DOWNLOADED, packed
from tests.support.collected import NOTEBOOK, submitted


class OfDos(zipfile.ZipInfo):
    """A member as old Windows programs write it: its name in a code page, which it doesn't say."""

    def __init__(self, name, page="ascii", extra=b""):
        super().__init__(name, DOWNLOADED)
        self.page, self.create_system, self.extra = page, 0, extra

    def _encodeFilenameFlags(self):
        return self.filename.encode(self.page), self.flag_bits


@pytest.mark.parametrize(
    ("inside", "taken"),
    [
        ([f"ann\\{NOTEBOOK}", "ann\\data\\words.csv", "ann\\empty\\"], ["data/words.csv"]),
        ([f"Downloads\\ann_7_assignsubmission_file\\{NOTEBOOK}"], []),
        ([f"ann\\{LESSON}\\{NOTEBOOK}", f"ann\\{LESSON}\\données.csv"], ["données.csv"]),
    ],
)
def test_backslashes_of_windows_are_folders(course, collected, inside, taken):
    """PowerShell 5 packs so: a class's archive that was unpacked and packed again."""
    result = collected([(OfDos(name, "cp850"), b"ann's") for name in inside])
    assert result.code == 0, result.out
    names = [NOTEBOOK, *taken]
    assert submitted(course) == dict.fromkeys((f"ann/{LESSON}/{n}" for n in names), b"ann's")


def test_backslashes_lead_nowhere(course, collected):
    names = ["ann\\..\\..\\evil", "..\\evil", "\\evil", "bo\\C:\\evil", "bo/a\\..\\evil"]
    members = [*((OfDos(name), b"evil") for name in names), (f"bo/{NOTEBOOK}", b"bo's")]
    result = collected(members)
    for reason in ("a .. in its path", "an absolute path", "a : in its name", "a \\ in its name"):
        assert reason in result.out
    assert submitted(course) == {f"bo/{LESSON}/{NOTEBOOK}": b"bo's"}
    student = packed([(OfDos(f"work\\{NOTEBOOK}"), b"cy's"), (OfDos("work\\..\\x"), b"evil")])
    assert "a .. in its path" in collected({"cy.zip": student}).out
    assert submitted(course)[f"cy/{LESSON}/{NOTEBOOK}"] == b"cy's"


@pytest.mark.parametrize(
    ("folder", "page"),
    [("功課", "big5"), ("表計算ソ", "cp932"), ("Моя работа", "cp1251"), ("숙제", "cp949")],
)
def test_a_folders_name_that_is_dropped_may_be_in_any_code_page(course, collected, folder, page):
    inner = {NOTEBOOK: b"ann's", "data/x.csv": b"1"}.items()
    inner = packed([(OfDos(f"{folder}/{name}", page), content) for name, content in inner])
    result = collected({"ann.zip": inner, f"bo/{folder}|?/{NOTEBOOK}": b"bo's"})
    assert result.code == 0, result.out
    assert submitted(course) == {
        f"ann/{LESSON}/{NOTEBOOK}": b"ann's",
        f"ann/{LESSON}/data/x.csv": b"1",
        f"bo/{LESSON}/{NOTEBOOK}": b"bo's",
    }


@pytest.mark.parametrize(
    ("name", "page", "student"),
    [
        ("Søren Kjær", "cp850", "soren"),
        ("Søren Kjær", "cp1252", "soren"),
        ("Łukasz Żak", "cp852", "lukasz"),
        ("Łukasz Żak_17_assignsubmission_file", "cp1250", "lukasz"),
        ("Анна Орлова", "cp866", "anna"),
        ("山田 太郎", "cp932", "taro"),
        ("José", "utf8", "jose"),
    ],
)
def test_names_in_other_code_pages_are_the_rosters(course, collected, people, name, page, student):
    folders = (name, "Josa")
    result = collected([(OfDos(f"{folder}/{NOTEBOOK}", page), b"x") for folder in folders])
    assert "'Josa' isn't in the roster" in result.out
    assert submitted(course) == {f"{student}/{LESSON}/{NOTEBOOK}": b"x"}


def test_utf8_that_some_program_read_otherwise_is_the_rosters(course, collected, people):
    for page, name in (("cp1252", "Søren Kjær"), ("latin-1", "Łukasz Żak"), ("cp437", "José")):
        wrong = name.encode().decode(page)
        assert collected({f"{wrong}/{NOTEBOOK}": b"x"}).code == 0
    assert CourseFolder(course).students(LESSON) == ["jose", "lukasz", "soren"]


def test_a_name_that_code_pages_read_as_two_people_is_nobodys(
    course, collected, autograder, tmp_path
):
    (tmp_path / "people.csv").write_text("Name,SID\nøá,one\nЫа,other\n", "utf8")
    assert autograder("roster", str(tmp_path / "people.csv"), course=course).code == 0
    result = collected([(OfDos(f"øá/{NOTEBOOK}", "cp850"), b"x")])
    assert "'¢á' isn't in the roster" in result.out
    assert not (course / "submitted").exists()


def test_the_unicode_path_beside_a_name_counts(course, collected, people):
    """As WinZip and 7-Zip write it; not where another program has since renamed the file."""
    raw, true = b"S?ren Kj?r/" + NOTEBOOK.encode(), f"Søren Kjær/{NOTEBOOK}".encode()

    def field(name, checked=raw):
        body = struct.pack("<BL", 1, zlib.crc32(checked)) + name
        return struct.pack("<HH", 0x7075, len(body)) + body

    result = collected([(OfDos(raw.decode(), extra=field(true)), b"x")])
    assert submitted(course) == {f"soren/{LESSON}/{NOTEBOOK}": b"x"}, result.out
    for extra in (field(b"jose/x", b"other"), b"\x75\x70"):
        result = collected([(OfDos(raw.decode(), extra=extra), b"y")])
        assert "'S?ren Kj?r' isn't in the roster" in result.out
    evil = OfDos(raw.decode(), extra=field(b"../../evil"))
    assert "a .. in its path" in collected([(evil, b"evil")]).out


def encrypted(data):
    """Set the bit that says so in the archive's list and before the first member."""
    return data[:6] + b"\1" + data[7:].replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0")


def claiming(data, size):
    """Change the unpacked size of every member in the archive's list."""
    result, at = bytearray(data), 0
    while (at := result.find(b"PK\1\2", at)) >= 0:
        result[at + 24 : at + 28] = struct.pack("<I", size)
        at += 4
    return bytes(result)


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        (b"no zip at all", "it isn't a zip archive"),
        (b"", "it isn't a zip archive but an empty file"),
        (packed({NOTEBOOK: b"x" * 99})[:-30], "only the beginning of one, because it was cut off"),
        (b"7z\xbc\xaf\x27\x1c\x00\x04", "it isn't a zip archive but a 7z archive"),
        (b"Rar!\x1a\x07\x01\x00", "it isn't a zip archive but a rar archive"),
        (b"\x1f\x8b\x08\x00", "it isn't a zip archive but a gzip file"),
        (b"\n<!DOCTYPE html>\n<title>Log in", "it isn't a zip archive but a web page"),
        (packed({"other.ipynb": b""}), f"there is no {NOTEBOOK}, only other.ipynb"),
        (packed([(NOTEBOOK, b"a"), (NOTEBOOK, b"b")]), "it's in the archive 2 times"),
        (packed([("a.ipynb", b"a"), ("A.ipynb", b"b")]), "differs from another one's only in case"),
        (packed([(f"a/{NOTEBOOK}", b"a"), (f"b/{NOTEBOOK}", b"b")]), "in several folders: a, b"),
        (encrypted(packed({NOTEBOOK: b"a"})), "encrypted"),
        (claiming(packed({NOTEBOOK: b"abc"}), 2), "Bad CRC-32"),
        (claiming(packed({NOTEBOOK: b"abc"}), 9), "it claims to have 9 bytes but has 3"),
        (claiming(packed({NOTEBOOK: bytes(MOST_BYTES // 900)}), MOST_BYTES), "200 times its size"),
        (packed({NOTEBOOK: bytes(LITTLE_BYTES + 1)}), "200 times its size"),
        (packed({"a.zip": packed({NOTEBOOK: b""})}), "a zip in a zip of the student's"),
        (packed({"hw.tar.gz": b"\x1f\x8b"}), "unpack hw.tar.gz and zip it again"),
        (packed({NOTEBOOK: b"", "é": b""}).replace("é".encode(), b"\xff\xff"), "marked as UTF-8"),
        (packed([("...zip", packed({NOTEBOOK: b""}))]), f"there is no {NOTEBOOK}"),
    ],
)
def test_a_zip_that_is_not_fit_costs_nobody_else_anything(course, collected, inner, reason):
    result = collected({"evil.zip": inner, f"bo/{NOTEBOOK}": b"bo's"})
    assert result.code == 1
    assert reason in result.out
    assert submitted(course) == {f"bo/{LESSON}/{NOTEBOOK}": b"bo's"}


def test_other_methods_of_packing_are_not_unpacked(course, collected):
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        info = zipfile.ZipInfo(f"ann/{NOTEBOOK}", DOWNLOADED)
        info.compress_type = method
        assert "other than deflate" in collected([(info, b"x")]).out
    assert not (course / "submitted").exists()


def test_a_huge_list_of_contents_is_not_even_read(course, collected, monkeypatch):
    monkeypatch.setattr(archives, "MOST_DIRECTORY", 70_000)  # zipfile looks for 64 KB of comment
    inner = packed({NOTEBOOK: b"", **{f"{n:0200}": b"" for n in range(400)}})
    result = collected({"evil.zip": inner, f"bo/{NOTEBOOK}": b"bo's"})
    assert "its list of contents is over" in result.out
    assert submitted(course) == {f"bo/{LESSON}/{NOTEBOOK}": b"bo's"}


def test_an_archive_that_is_none_keeps_no_other_back(course, autograder, tmp_path):
    (tmp_path / "none.zip").write_text("nothing")
    (tmp_path / "empty.zip").write_bytes(packed({}))
    (tmp_path / "ann.zip").write_bytes(packed({NOTEBOOK: b"ann's"}))
    paths = [str(tmp_path / f"{name}.zip") for name in ("none", "ann", "empty")]
    result = autograder("collect", LESSON, *paths, course=course)
    assert result.code == 1
    assert "it isn't a zip archive" in result.out
    assert "it's empty" in result.out
    assert submitted(course) == {f"ann/{LESSON}/{NOTEBOOK}": b"ann's"}
