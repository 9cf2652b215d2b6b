"""Every source and every error of datasets.load, for each data set."""

import contextlib
import csv
import dataclasses
import doctest
import errno
import hashlib
import http.server
import importlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from course.data import datasets
from course.data.datasets import ag_news, archives, imdb, news_category

CLASSES = "World\nSports\nBusiness\nSci/Tech\n"
TRAIN = (
    ("1", "Talks end", "AP - The minister #39;s plane left."),
    ("2", "", "Late goal The cup final\\went to extra time."),
    ("3", "Oil at US\\$47", "Shares of AT amp;T &lt;T.N&gt; &lt;b&gt;...&lt;/b&gt;"),
    ("4", "New browser", 'It said  quot;hello quot; to "users".'),
)
TEST = (("1", "Border", "Closed."), ("4", "Comet", "Seen."))
REVIEWS = {
    "train/neg/0_1.txt": "Dull.<br /><br />  Never again. ",
    "train/neg/10_2.txt": "Half an hour, and I was asleep.",
    "train/pos/0_9.txt": 'A "gem" &amp; a joy – see it!',
    "train/pos/1_8.txt": "Twice seen,\ntwice loved.",
    "test/neg/0_3.txt": "A waste of film.",
    "test/pos/0_10.txt": "Bravo.",
}
# Category, headline, short description. Rain, Snow and Wind in June are on the sides that the
# hashes of "Rain in June", "Snow in June" and "Wind in June" give.
NEWS = (
    ("WEATHER", "Rain in", "June"),
    ("WEATHER", "  Snow   in", "\tJune "),
    ("ARTS & CULTURE", "", "Wind in June"),
    ("MONEY", "", "  "),
    ("ARTS & CULTURE", "Dew in June", ""),
    ("ARTS & CULTURE", "Frost", "in June"),
)


def as_csv(rows):
    lines = io.StringIO()
    csv.writer(lines, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return lines.getvalue()


def as_json_lines(rows):
    keys = ("category", "headline", "short_description")
    rows = [dict(zip(keys, row, strict=True)) | {"authors": "", "date": ""} for row in rows]
    return "".join(json.dumps(row) + "\n" for row in rows)


def in_tar(members):
    """A .tar.gz archive; a member that is None is left out."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in members.items():
            if content is not None:
                data = content if isinstance(content, bytes) else content.encode()
                member = tarfile.TarInfo(name)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


def ag_news_archive(changes):
    members = {"train.csv": as_csv(TRAIN), "test.csv": as_csv(TEST), "classes.txt": CLASSES}
    return in_tar({f"ag_news_csv/{name}": text for name, text in (members | changes).items()})


def imdb_archive(changes):
    others = {"train/unsup/0_0.txt": "No label.", "README": "Read.", "train/pos/notes.md": "No."}
    return in_tar({f"aclImdb/{name}": text for name, text in (others | REVIEWS | changes).items()})


def news_category_file(changes):
    content = changes.get("lines", as_json_lines(NEWS))
    return content if isinstance(content, bytes) else content.encode()


@dataclasses.dataclass(frozen=True)
class Case:
    """A data set with a small archive as its publisher would make it, and what load makes of it."""

    package: ModuleType
    archive: Callable[[Mapping], bytes]
    class_names: tuple[str, ...]
    train: set
    test: set
    sample: tuple[int, int, int]  # train, test, classes

    @property
    def name(self):
        return self.package.__name__.rpartition(".")[2]

    def write(self, folder, changes=()):
        """Write the archive with changed members; a change to None leaves a member out."""
        folder.mkdir(exist_ok=True)
        path = folder / self.package.ARCHIVE
        path.write_bytes(self.archive(dict(changes)))
        return path


AG_NEWS = Case(
    ag_news,
    ag_news_archive,
    ("World", "Sports", "Business", "Sci/Tech"),
    {
        ("Talks end AP - The minister's plane left.", 0),
        ("Late goal The cup final went to extra time.", 1),
        ("Oil at US$47 Shares of AT&T <T.N> ...", 2),
        ('New browser It said "hello" to "users".', 3),
    },
    {("Border Closed.", 0), ("Comet Seen.", 3)},
    (4_000, 1_000, 4),
)
IMDB = Case(
    imdb,
    imdb_archive,
    ("neg", "pos"),
    {(text, int("/pos/" in name)) for name, text in REVIEWS.items() if name.startswith("train")},
    {("A waste of film.", 0), ("Bravo.", 1)},
    (2_000, 500, 2),
)
NEWS_CATEGORY = Case(
    news_category,
    news_category_file,
    ("ARTS & CULTURE", "WEATHER"),
    {("Rain in June", 1), ("Snow in June", 1), ("Frost in June", 0)},
    {("Wind in June", 0), ("Dew in June", 0)},
    (3_000, 800, 38),
)
CASES = (AG_NEWS, IMDB, NEWS_CATEGORY)
for_each = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
for_each_tar = pytest.mark.parametrize("case", (AG_NEWS, IMDB), ids=lambda case: case.name)

REAL_FOLDERS = (
    os.environ.get("COURSE_DATA", ""),
    Path(__file__).parents[4].parent / "shared" / "datasets",
)


def examples(dataset):
    return {(text.decode(), int(label)) for text, label in dataset.as_numpy_iterator()}


@pytest.fixture(autouse=True)
def nothing_around(tmp_path, monkeypatch):
    """No prepared data, no archive, no network; returns where prepared data would be."""
    folder = tmp_path / "tfds"
    monkeypatch.setenv("TFDS_DATA_DIR", str(folder))
    monkeypatch.delenv("COURSE_DATA", raising=False)
    monkeypatch.delenv("COURSE_SOURCE", raising=False)
    monkeypatch.setenv("no_proxy", "*")
    for package in (ag_news, imdb):
        monkeypatch.setattr(package, "DOWNLOAD_URL", f"http://127.0.0.1:9/{package.ARCHIVE}")
    return folder


@pytest.fixture
def course_data(tmp_path, monkeypatch):
    folder = tmp_path / "course_data"
    folder.mkdir()
    monkeypatch.setenv("COURSE_DATA", str(folder))
    return folder


@pytest.fixture
def serve(monkeypatch):
    """Serve answers as a publisher would: a function of the data set and the handler's method."""
    servers = []

    def start(package, respond):
        handler = type(
            "Handler",
            (http.server.BaseHTTPRequestHandler,),
            {"do_GET": respond, "log_message": lambda *_: None},
        )
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        servers.append((server, thread))
        url = f"http://127.0.0.1:{server.server_port}/{package.ARCHIVE}"
        monkeypatch.setattr(package, "DOWNLOAD_URL", url)

    yield start
    for server, thread in servers:
        server.shutdown()
        server.server_close()
        thread.join()


def sending(content, length=None):
    def respond(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(length or len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return respond


class TestSources:
    @for_each
    def test_archive_then_prepared(self, case, course_data, nothing_around, capsys):
        archive = case.write(course_data)
        random.seed(7)
        data = datasets.load(case.name)
        assert random.random() == random.Random(7).random()
        assert (data.source, data.is_real) == ("archive", True)
        assert data.class_names == case.class_names
        assert examples(data.train) == case.train
        assert examples(data.test) == case.test
        counts = f"{len(case.train)} train and {len(case.test)} test texts"
        classes = f"in {len(case.class_names)} classes, from {archive}"
        assert data.description.startswith(f"{case.name}: {counts} {classes}")
        output = capsys.readouterr()
        assert output.err == ""
        preparing, found = output.out.splitlines()
        assert preparing.startswith(f"{case.name}: preparing {archive.name}.")
        assert found == data.description

        archive.write_bytes(b"no longer looked at")
        again = datasets.load(case.name, source="real")
        assert (again.source, again.class_names) == ("prepared", case.class_names)
        assert str(nothing_around / f"course_{case.name}") in again.description
        assert [x for x, _ in again.train.as_numpy_iterator()] == [
            x for x, _ in data.train.as_numpy_iterator()
        ]
        assert capsys.readouterr() == ("", "")
        # One finished data set and nothing else: no downloads, no work in progress.
        assert [path.name for path in nothing_around.rglob("*") if path.is_dir()] == [
            f"course_{case.name}",
            "1.0.0",
        ]

    @for_each
    def test_elements_and_cardinality(self, case):
        data = datasets.load(case.name, source="sample")
        train_size, test_size, classes = case.sample
        for dataset, size in ((data.train, train_size), (data.test, test_size)):
            text, label = dataset.element_spec
            assert (text.shape, text.dtype.name) == ((), "string")
            assert (label.shape, label.dtype.name) == ((), "int64")
            assert int(dataset.cardinality()) == size
        assert len(data.class_names) == classes

    @pytest.mark.parametrize(
        ("case", "name", "config", "features", "splits"),
        [
            (
                AG_NEWS,
                "ag_news_subset",
                None,
                ("label", "title", "description"),
                {
                    split: [(int(row[0]) - 1, *row[1:]) for row in rows]
                    for split, rows in (("train", TRAIN), ("test", TEST))
                },
            ),
            (
                IMDB,
                "imdb_reviews",
                "plain_text",
                ("label", "text"),
                {
                    split: [(label, text) for text, label in rows]
                    for split, rows in (
                        ("train", sorted(IMDB.train)),
                        ("test", sorted(IMDB.test)),
                        ("unsupervised", [("No label.", -1)]),
                    )
                },
            ),
        ],
        ids=["ag_news", "imdb"],
    )
    def test_prepared_by_tfds_own_builder(
        self, case, name, config, features, splits, nothing_around
    ):
        import tensorflow_datasets as tfds

        class Own(tfds.core.GeneratorBasedBuilder, skip_registration=True):
            VERSION = tfds.core.Version("1.0.0")
            BUILDER_CONFIGS = [tfds.core.BuilderConfig(name=config)] if config else []
            code_path = None

            def _info(self):
                label, *texts = features
                found = {text: tfds.features.Text() for text in texts}
                found[label] = tfds.features.ClassLabel(names=case.class_names)
                return tfds.core.DatasetInfo(
                    builder=self, features=tfds.features.FeaturesDict(found)
                )

            def _split_generators(self, dl_manager):
                return {split: self._generate_examples(rows) for split, rows in splits.items()}

            def _generate_examples(self, rows):
                for key, row in enumerate(rows):
                    yield key, dict(zip(features, row, strict=True))

        Own.name = name
        with contextlib.redirect_stdout(io.StringIO()):
            Own(data_dir=nothing_around).download_and_prepare()
        data = datasets.load(case.name)
        assert (data.source, data.class_names) == ("prepared", case.class_names)
        assert str(nothing_around / name / (config or "") / "1.0.0") in data.description
        assert examples(data.train) == case.train
        assert examples(data.test) == case.test

    @for_each_tar
    def test_download_then_prepared(self, case, serve, tmp_path, monkeypatch, nothing_around):
        content = case.write(tmp_path / "publisher").read_bytes()
        monkeypatch.setattr(case.package, "DOWNLOAD_SHA256", hashlib.sha256(content).hexdigest())
        serve(case.package, sending(content))
        data = datasets.load(case.name, source="real")
        assert data.source == "download"
        assert case.package.DOWNLOAD_URL in data.description
        assert examples(data.train) == case.train
        monkeypatch.setattr(case.package, "DOWNLOAD_URL", "http://127.0.0.1:9/")
        assert datasets.load(case.name, source="real").source == "prepared"
        assert [path.name for path in nothing_around.iterdir()] == [f"course_{case.name}"]

    def test_download_comes_after_an_empty_course_data(self, serve, tmp_path, monkeypatch):
        content = AG_NEWS.write(tmp_path / "publisher").read_bytes()
        monkeypatch.setattr(ag_news, "DOWNLOAD_SHA256", hashlib.sha256(content).hexdigest())
        serve(ag_news, sending(content))
        (tmp_path / "empty").mkdir()
        monkeypatch.setenv("COURSE_DATA", str(tmp_path / "empty"))
        assert datasets.load("ag_news").source == "download"

    @for_each
    def test_the_sample_in_place_of_real_data_is_one_short_line(self, case, nothing_around, capsys):
        data = datasets.load(case.name)
        assert (data.source, data.is_real) == ("sample", False)
        train, test, classes = case.sample
        counts = f"{train:,} train and {test:,} test texts in {classes} classes"
        assert data.description == (
            f"{case.name}: {counts}, of the built-in, generated sample "
            f'(datasets.load("{case.name}", source="real") says why).'
        )
        assert capsys.readouterr() == (data.description + "\n", "")
        assert not nothing_around.exists()

    @for_each
    def test_the_sample_as_asked_for_needs_no_reason(self, case, capsys, monkeypatch):
        data = datasets.load(case.name, source="sample")
        assert data.source == "sample"
        assert data.description.endswith("of the built-in, generated sample.")
        assert capsys.readouterr() == ("", "")
        monkeypatch.setenv("COURSE_SOURCE", "sample")
        assert datasets.load(case.name).description == data.description
        assert capsys.readouterr() == (data.description + "\n", "")

    @pytest.mark.parametrize(
        ("case", "download"),
        [
            (AG_NEWS, "Download: the download from 127.0.0.1:9 failed"),
            (IMDB, "Download: the download from 127.0.0.1:9 failed"),
            (
                NEWS_CATEGORY,
                "Download: the publisher asks for a login; News_Category_Dataset_v2.json is"
                " version 2 of https://www.kaggle.com/datasets/rmisra/news-category-dataset.",
            ),
        ],
        ids=["ag_news", "imdb", "news_category"],
    )
    def test_real_says_for_each_source_why_not(self, case, download, nothing_around):
        with pytest.raises(datasets.DatasetError) as error:
            datasets.load(case.name, source="real")
        lines = str(error.value).splitlines()
        assert lines[0] == f"No real data for {case.name!r}."
        assert lines[1] == f"Prepared data: none in {nothing_around}."
        assert lines[2] == "Archive: COURSE_DATA is not set."
        assert lines[3].startswith(download)
        assert case.package.ARCHIVE in lines[4]
        assert "COURSE_DATA" in lines[4]

    def test_real_names_the_folder_that_lacks_the_archive(self, course_data):
        lacking = f"COURSE_DATA names {course_data}, which has no {AG_NEWS.package.ARCHIVE}"
        with pytest.raises(datasets.DatasetError, match=re.escape(lacking)):
            datasets.load("ag_news", source="real")

    def test_course_source_decides_for_auto_only(self, course_data, monkeypatch):
        AG_NEWS.write(course_data)
        monkeypatch.setenv("COURSE_SOURCE", "sample")
        assert datasets.load("ag_news").source == "sample"
        assert datasets.load("ag_news", source="real").source == "archive"
        monkeypatch.setenv("COURSE_SOURCE", "real")
        assert datasets.load("ag_news").source == "prepared"
        assert datasets.load("ag_news", source="sample").source == "sample"
        monkeypatch.delenv("COURSE_DATA")
        monkeypatch.setenv("TFDS_DATA_DIR", str(course_data / "nothing"))
        with pytest.raises(datasets.DatasetError, match="No real data"):
            datasets.load("ag_news")

    @for_each
    def test_two_processes_prepare_at_once(self, case, course_data, nothing_around, monkeypatch):
        # The other process finishes while this one is still reading the archive.
        case.write(course_data)
        builder = importlib.import_module(f"{case.package.__name__}.builder").Builder
        read, other = builder.read, []

        def slow_read(self, path):
            if not other:
                other.append(None)
                other[0] = datasets.load(case.name)
            return read(self, path)

        monkeypatch.setattr(builder, "read", slow_read)
        data = datasets.load(case.name)
        assert (other[0].source, data.source) == ("archive", "archive")
        assert examples(data.train) == examples(other[0].train) == case.train
        assert [path.name for path in nothing_around.iterdir()] == [f"course_{case.name}"]


class TestErrors:
    @pytest.mark.parametrize(
        ("name", "near"),
        [
            ("ag-news", "ag_news"),
            ("AG_News", "ag_news"),
            ("agnews", "ag_news"),
            ("IMDb", "imdb"),
            ("news-categories", "news_category"),
        ],
    )
    def test_unknown_name_with_a_near_match(self, name, near):
        with pytest.raises(datasets.DatasetError) as error:
            datasets.load(name)
        assert repr(name) in str(error.value)
        assert f"Did you mean {near!r}?" in str(error.value)

    def test_unknown_name(self):
        with pytest.raises(
            datasets.DatasetError, match=r"'mnist'\. Known: 'ag_news', 'imdb', 'news_category'\.$"
        ):
            datasets.load("mnist")

    def test_invalid_source(self, monkeypatch):
        with pytest.raises(ValueError, match=r"'disk' for source.*'auto', 'real', 'sample'"):
            datasets.load("ag_news", source="disk")
        monkeypatch.setenv("COURSE_SOURCE", "web")
        with pytest.raises(ValueError, match=r"'web' .* COURSE_SOURCE.*'auto', 'real', 'sample'"):
            datasets.load("ag_news")
        assert datasets.load("ag_news", source="sample").source == "sample"

    @pytest.mark.parametrize("kind", ["missing", "file"])
    def test_course_data_is_no_folder(self, kind, tmp_path, monkeypatch):
        place = tmp_path / "place"
        if kind == "file":
            place.write_text("")
        monkeypatch.setenv("COURSE_DATA", str(place))
        for source in ("auto", "real"):
            with pytest.raises(datasets.DatasetError, match=r"COURSE_DATA names .*not a folder"):
                datasets.load("ag_news", source=source)
        assert datasets.load("ag_news", source="sample").source == "sample"

    @pytest.mark.parametrize(
        ("damage", "message"),
        [
            (lambda data: b"", "cannot be read as a .tar.gz"),
            (lambda data: b"<html>Quota exceeded</html>", "cannot be read as a .tar.gz"),
            (lambda data: data[: len(data) // 2], "cannot be read as a .tar.gz"),
            (lambda data: data[:-4], "cannot be read as a .tar.gz"),
            (lambda data: data[:-8] + b"12345678", "cannot be read as a .tar.gz.*CRC"),
        ],
        ids=["empty", "not gzip", "half", "cut at the end", "checksum"],
    )
    @pytest.mark.parametrize("source", ["auto", "real"])
    @for_each_tar
    def test_damaged_archive(self, case, damage, message, source, course_data, nothing_around):
        archive = case.write(course_data)
        archive.write_bytes(damage(archive.read_bytes()))
        with pytest.raises(datasets.DatasetError, match=message) as error:
            datasets.load(case.name, source=source)
        assert str(archive) in str(error.value)
        assert not nothing_around.exists()

    @pytest.mark.parametrize(
        ("case", "changes", "message"),
        [
            (AG_NEWS, {"test.csv": None}, r"lacks ag_news_csv/test\.csv"),
            (AG_NEWS, {"classes.txt": None}, r"lacks ag_news_csv/classes\.txt"),
            (
                AG_NEWS,
                {"classes.txt": "Sports\nWorld\n"},
                r"lists Sports, World; expected World, Sports",
            ),
            (
                AG_NEWS,
                {"train.csv": as_csv([*TRAIN, ("3", "No description")])},
                r"train\.csv, line 5: ",
            ),
            (
                AG_NEWS,
                {"train.csv": as_csv([("5", "a", "b")])},
                r"line 1: received \['5', 'a', 'b'\]",
            ),
            (AG_NEWS, {"train.csv": as_csv([("World", "a", "b")])}, r"line 1: received \['World'"),
            (
                AG_NEWS,
                {"train.csv": as_csv([("1", "", " ")])},
                r"line 1: received \['1', '', ' '\]",
            ),
            (AG_NEWS, {"train.csv": '"1","a","b"\n"2","never closed\n'}, r"train\.csv, line 2: "),
            (AG_NEWS, {"train.csv": '"1","a"b,"c"\n'}, r"train\.csv, line 1: "),
            (AG_NEWS, {"train.csv": b'"1","a","\xff"\n'}, r"train\.csv is not UTF-8"),
            (AG_NEWS, {"test.csv": ""}, r"test\.csv has no rows"),
            (IMDB, {"test/neg/0_3.txt": None}, r"lacks aclImdb/test/neg/\*\.txt\."),
            (IMDB, dict.fromkeys(REVIEWS), r"lacks aclImdb/train/neg/\*\.txt, aclImdb/train/pos"),
            (IMDB, {"train/pos/1_8.txt": b"Gr\xfc\xdfe"}, r"train/pos/1_8\.txt is not UTF-8"),
            (IMDB, {"train/pos/1_8.txt": " \n"}, r"train/pos/1_8\.txt is empty"),
            (NEWS_CATEGORY, {"lines": ""}, r"0 rows with text, and none for train and test"),
            (
                NEWS_CATEGORY,
                {"lines": as_json_lines(NEWS[:2])},
                r"2 rows with text, and none for test",
            ),
            (NEWS_CATEGORY, {"lines": as_json_lines(NEWS) + '{"cat'}, r"line 7: Unterminated"),
            (NEWS_CATEGORY, {"lines": as_json_lines(NEWS) + "\n"}, r"line 7: Expecting value\."),
            (NEWS_CATEGORY, {"lines": "<html>Sign in</html>"}, r"line 1: Expecting value\."),
            (NEWS_CATEGORY, {"lines": '["WEATHER"]\n'}, r"line 1: received \['WEATHER'\]"),
            (NEWS_CATEGORY, {"lines": "[" * 200_000}, r"line 1: "),
            (
                NEWS_CATEGORY,
                {"lines": '{"category": "A", "headline": null}'},
                r"line 1: no text for headline, short_description",
            ),
            (NEWS_CATEGORY, {"lines": as_json_lines([(" ", "a", "b")])}, r"line 1: an empty categ"),
            (
                NEWS_CATEGORY,
                {"lines": as_json_lines([*NEWS, ("A", "half a pair: \ud800", "")])},
                r"line 7: .*surrogates",
            ),
            (
                NEWS_CATEGORY,
                {"lines": as_json_lines(NEWS).encode() + b'{"category": "\xff"}'},
                r"line 7: .*utf-8",
            ),
            (
                NEWS_CATEGORY,
                {"lines": as_json_lines(NEWS).encode("utf-16")},
                r"line 1: .*utf-8",
            ),
        ],
    )
    def test_archive_with_wrong_content(self, case, changes, message, course_data, nothing_around):
        archive = case.write(course_data, changes)
        with pytest.raises(datasets.DatasetError, match=message) as error:
            datasets.load(case.name)
        assert str(archive) in str(error.value)
        assert 1 <= str(error.value).count("\n") <= 2
        assert not nothing_around.exists()

    @for_each
    def test_a_folder_in_the_place_of_the_archive(self, case, course_data, nothing_around):
        (course_data / case.package.ARCHIVE).mkdir()
        with pytest.raises(datasets.DatasetError, match="cannot be read"):
            datasets.load(case.name)
        assert not nothing_around.exists()

    @pytest.mark.parametrize(
        ("case", "changes"),
        [
            (AG_NEWS, {"train.csv": "1,2\n"}),
            (IMDB, {"train/pos/1_8.txt": ""}),
            (NEWS_CATEGORY, {"lines": "{}\n"}),
        ],
        ids=["ag_news", "imdb", "news_category"],
    )
    def test_replacing_a_broken_archive_is_enough(self, case, changes, course_data):
        case.write(course_data, changes)
        with pytest.raises(datasets.DatasetError):
            datasets.load(case.name)
        case.write(course_data)
        assert examples(datasets.load(case.name).train) == case.train

    @for_each
    def test_damaged_prepared_data(self, case, course_data, nothing_around):
        case.write(course_data)
        datasets.load(case.name)
        (records,) = nothing_around.rglob("*train.tfrecord*")
        records.write_bytes(records.read_bytes()[:-5])
        with pytest.raises(datasets.DatasetError, match="cannot be read") as error:
            datasets.load(case.name)
        folder = nothing_around / f"course_{case.name}" / "1.0.0"
        assert f"The prepared data in {folder}" in str(error.value)
        assert "Delete this folder" in str(error.value)

    def test_no_right_to_write(self, course_data, tmp_path, monkeypatch):
        # A folder below a file: nobody may create that, not even root.
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("TFDS_DATA_DIR", str(tmp_path / "file" / "tfds"))
        assert datasets.load("ag_news").source == "sample"
        with pytest.raises(datasets.DatasetError, match="TFDS_DATA_DIR"):
            datasets.load("ag_news", source="real")
        AG_NEWS.write(course_data)
        with pytest.raises(datasets.DatasetError, match="TFDS_DATA_DIR"):
            datasets.load("ag_news")

    def test_no_home_folder(self, course_data, monkeypatch):
        pwd = pytest.importorskip("pwd", reason="only Unix has a table of users' homes")
        monkeypatch.delenv("TFDS_DATA_DIR")
        monkeypatch.delenv("HOME")
        monkeypatch.setattr(pwd, "getpwuid", lambda user: {}[user])
        assert datasets.load("ag_news").source == "sample"
        AG_NEWS.write(course_data)
        with pytest.raises(datasets.DatasetError, match=r"no home folder.*TFDS_DATA_DIR"):
            datasets.load("ag_news")

    def test_no_room(self, course_data, nothing_around, monkeypatch):
        from course.data.datasets.ag_news import builder

        def write(*args, **kwargs):
            # As TensorFlow Datasets does it.
            raise RuntimeError("Failed to write") from OSError(errno.ENOSPC, "No space left")

        AG_NEWS.write(course_data)
        monkeypatch.setattr(builder.Builder, "_generate_splits", write)
        with pytest.raises(datasets.DatasetError, match="TFDS_DATA_DIR"):
            datasets.load("ag_news")
        assert not nothing_around.exists()

    def test_something_in_the_place_of_prepared_data(self, course_data, nothing_around):
        AG_NEWS.write(course_data)
        place = nothing_around / "course_ag_news" / "1.0.0"
        place.mkdir(parents=True)
        (place / "notes.txt").write_text("mine")
        with pytest.raises(datasets.DatasetError, match=re.escape(str(place))):
            datasets.load("ag_news")
        assert (place / "notes.txt").read_text() == "mine"

    @pytest.mark.parametrize(
        ("respond", "reason"),
        [
            (lambda handler: handler.send_error(404), "Not Found"),
            (sending(b"<html>Sign in</html>"), "sent something else"),
            (sending(b"cut", length=1000), "sent something else"),
            (lambda handler: handler.rfile.read(), "timed out"),
        ],
        ids=["404", "another page", "interrupted", "silent"],
    )
    def test_failing_download(self, respond, reason, serve, monkeypatch, nothing_around):
        monkeypatch.setattr(archives, "ANSWER_TIMEOUT_S", 0.3)
        serve(ag_news, respond)
        start = time.monotonic()
        assert datasets.load("ag_news").source == "sample"
        assert time.monotonic() - start < 2.5
        with pytest.raises(datasets.DatasetError, match=reason):
            datasets.load("ag_news", source="real")
        assert not nothing_around.exists()

    def test_endless_download(self, serve, monkeypatch):
        monkeypatch.setattr(archives, "DOWNLOAD_TIMEOUT_S", 0)
        serve(ag_news, sending(bytes(1000)))
        assert datasets.load("ag_news").source == "sample"
        with pytest.raises(datasets.DatasetError, match="not finished after 0 seconds"):
            datasets.load("ag_news", source="real")


ALONE = """
import hashlib, sys
from course.data import datasets
assert "tensorflow" not in sys.modules
import tensorflow
touched = []
def watch(event, arguments):
    writes = event == "open" and set(str(arguments[1])) & set("wax+")
    if writes or event.startswith(("socket.", "os.mkdir", "os.rename", "subprocess.")):
        touched.append((event, arguments))
sys.addaudithook(watch)
for name in datasets.DATASETS:
    data = datasets.load(name, source="sample")
    texts = b"".join(next(data.train.batch(10_000).as_numpy_iterator())[0])
    assert not touched, touched
    assert "tensorflow_datasets" not in sys.modules
    print(hashlib.sha256(texts).hexdigest())
"""


def test_samples_alone_in_a_process(tmp_path):
    """No folder to write to, nothing written, no network, and only the imports it needs."""
    nowhere = tmp_path / "file"
    nowhere.write_text("")
    environment = os.environ | {
        "HOME": str(nowhere / "home"),
        "TFDS_DATA_DIR": str(nowhere / "tfds"),
        "COURSE_DATA": str(nowhere / "missing"),
        "PYTHONHASHSEED": "3",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", ALONE], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    digests = done.stdout.split()
    for case, digest in zip(CASES, digests, strict=True):
        rows = importlib.import_module(f"{case.package.__name__}.sample").generate()["train"]
        texts = b"".join(text.encode() for text, _, _ in rows)
        assert hashlib.sha256(texts).hexdigest() == digest


class TestNewsCategorySplit:
    def sides(self, rows, folder):
        from course.data.datasets.news_category import builder

        return builder.read_file(NEWS_CATEGORY.write(folder, {"lines": as_json_lines(rows)}))

    def test_depends_on_nothing_but_the_text(self, course_data):
        rows = [("ABC"[n % 3], f"Storm number {n}", f"in {n % 7}") for n in range(500)]
        found = self.sides(rows, course_data)
        assert self.sides(rows[::-1], course_data) == found
        sides = {text: split for split, part in found.splits.items() for text, _ in part}
        assert len(found.splits["test"]) == pytest.approx(100, abs=20)
        # Without every other row, and in other words' company, each text stays where it was.
        for split, part in self.sides(
            [("D", "More", "news"), *rows[::2]], course_data
        ).splits.items():
            assert {sides.get(text, split) for text, _ in part} == {split}

    def test_is_the_documented_one(self, course_data):
        found = self.sides([("A", "Storm", str(n)) for n in range(100)], course_data)
        for split, part in found.splits.items():
            for text, _ in part:
                start = hashlib.sha256(text.encode()).hexdigest()[:8]
                assert (int(start, 16) % 5 == 0) == (split == "test")

    def test_the_same_text_is_on_one_side(self, course_data):
        # In two columns or one, with other white space, and even in two categories.
        same = [("A", "Wind", "in June"), ("A", "Wind in", " June"), ("B", "", "Wind in June")]
        found = self.sides([*same, ("A", "Rain in", "June")], course_data)
        assert found.class_names == ["A", "B"]
        assert found.splits["test"] == [("Wind in June", label) for label in (0, 0, 1)]
        assert found.splits["train"] == [("Rain in June", 0)]


def real_archive(case):
    for folder in filter(None, REAL_FOLDERS):
        if (archive := Path(folder) / case.package.ARCHIVE).is_file():
            return archive
    return None


def needs_real(case):
    return pytest.mark.skipif(
        real_archive(case) is None,
        reason=f"reads the real {case.package.ARCHIVE}: COURSE_DATA=<folder with it> make test",
    )


@needs_real(AG_NEWS)
def test_real_ag_news(course_data):
    from course.data.datasets.ag_news import builder

    # The whole archive is read; of every tenth row a small one is made and loaded.
    archive = real_archive(AG_NEWS)
    found = builder.read_archive(archive).splits
    assert 40_000 <= len(found["train"]) <= 120_000
    assert np.bincount([label for _, label in found["test"]]).tolist() == [1900] * 4
    texts = [text for rows in found.values() for text, _ in rows]
    # Whatever the dump did to the texts is gone, but for a handful of oddities.
    artefact = re.compile(r"\\|#\d+;|\b(?:quot|amp|lt|gt|nbsp);|</?(?:b|a|p|br|font)\b")
    suspects = [text for text in texts if any(sign in text for sign in "\\;<")]
    assert sum(bool(artefact.search(text)) for text in suspects) <= 10
    assert not [text for text in texts if text != " ".join(text.split())]
    assert min(len(text.split()) for text in texts) >= 4

    tenth = {}
    with tarfile.open(archive) as members:
        for split in ("train", "test"):
            lines = members.extractfile(f"ag_news_csv/{split}.csv").readlines()
            tenth[f"{split}.csv"] = b"".join(lines[::10])
    AG_NEWS.write(course_data, tenth)
    news = datasets.load("ag_news", source="real")
    assert news.source == "archive"
    assert examples(news.train) == set(found["train"][::10])
    assert examples(news.test) == set(found["test"][::10])


@needs_real(IMDB)
def test_real_imdb(course_data):
    from course.data.datasets.imdb import builder

    # The whole archive is read; of every hundredth review a small one is made and loaded.
    found = builder.read_archive(real_archive(IMDB)).splits
    for rows in found.values():
        assert np.bincount([label for _, label in rows]).tolist() == [12_500] * 2
        assert np.mean(["<br />" in text for text, _ in rows]) > 0.5

    names = (f"{split}/{name}" for split in found for name in ("neg", "pos"))
    hundredth = dict.fromkeys(REVIEWS) | {
        f"{folder}/{number}_5.txt": text
        for folder in names
        for number, (text, label) in enumerate(found[folder.split("/")[0]][::100])
        if IMDB.class_names[label] == folder.split("/")[1]
    }
    IMDB.write(course_data, hundredth)
    reviews = datasets.load("imdb", source="real")
    assert reviews.source == "archive"
    assert examples(reviews.train) == set(found["train"][::100])
    assert examples(reviews.test) == set(found["test"][::100])
    # The classes are mixed, as if drawn.
    for dataset in (reviews.train, reviews.test):
        assert {label for _, label in dataset.take(10).as_numpy_iterator()} == {0, 1}
        labels = np.array([label for _, label in dataset.as_numpy_iterator()])
        assert (labels[1:] == labels[:-1]).mean() == pytest.approx(0.5, abs=0.1)


@needs_real(NEWS_CATEGORY)
def test_real_news_category(course_data):
    from course.data.datasets.news_category import builder

    # The whole file is read; of every tenth row a small one is made and loaded.
    file = real_archive(NEWS_CATEGORY)
    class_names, found = builder.read_file(file)
    assert 38 <= len(class_names) <= 42
    assert class_names == sorted(class_names)
    sizes = {split: len(rows) for split, rows in found.items()}
    assert sizes["test"] / (sizes["train"] + sizes["test"]) == pytest.approx(0.2, abs=0.01)
    texts = {split: {text for text, _ in rows} for split, rows in found.items()}
    assert not texts["train"] & texts["test"]
    assert not [text for side in texts.values() for text in side if text != " ".join(text.split())]

    lines = b"".join(file.read_bytes().splitlines(keepends=True)[::10])
    NEWS_CATEGORY.write(course_data, {"lines": lines})
    news = datasets.load("news_category", source="real")
    assert news.source == "archive"
    for split in ("train", "test"):
        named = {(text, class_names[label]) for text, label in found[split]}
        loaded = examples(getattr(news, split))
        assert {(text, news.class_names[label]) for text, label in loaded} <= named
        assert len(loaded) == pytest.approx(sizes[split] / 10, rel=0.1)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".loading",
        ".grammar",
        *(f".{case.name}.sample" for case in CASES),
        ".ag_news.builder",
        ".news_category.builder",
    ],
)
def test_examples_in_docstrings(name):
    results = doctest.testmod(importlib.import_module("course.data.datasets" + name))
    assert results.attempted > 0
    assert results.failed == 0
