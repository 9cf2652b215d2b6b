"""Every source and every error of datasets.load, and what the built-in sample promises."""

import collections
import contextlib
import csv
import doctest
import errno
import hashlib
import http.server
import importlib
import io
import os
import random
import re
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from course import datasets
from course.datasets import ag_news, archives, loading
from course.datasets.ag_news import sample

CLASSES = "World\nSports\nBusiness\nSci/Tech\n"
TRAIN = (
    ("1", "Talks end", "AP - The minister #39;s plane left."),
    ("2", "", "Late goal The cup final\\went to extra time."),
    ("3", "Oil at US\\$47", "Shares of AT amp;T &lt;T.N&gt; &lt;b&gt;...&lt;/b&gt;"),
    ("4", "New browser", 'It said  quot;hello quot; to "users".'),
)
TEST = (("1", "Border", "Closed."), ("4", "Comet", "Seen."))
TRAIN_EXAMPLES = {
    ("Talks end AP - The minister's plane left.", 0),
    ("Late goal The cup final went to extra time.", 1),
    ("Oil at US$47 Shares of AT&T <T.N> ...", 2),
    ('New browser It said "hello" to "users".', 3),
}

REAL_FOLDERS = (
    os.environ.get("COURSE_DATA", ""),
    Path(__file__).parents[2].parent / "shared" / "datasets",
)


def as_csv(rows):
    lines = io.StringIO()
    csv.writer(lines, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return lines.getvalue()


def write_archive(folder, **changes):
    """A small archive of the publisher's layout; a change to None leaves a member out."""
    members = {"train.csv": as_csv(TRAIN), "test.csv": as_csv(TEST), "classes.txt": CLASSES}
    for name, content in changes.items():
        members[name.replace("_", ".")] = content
    folder.mkdir(exist_ok=True)
    path = folder / ag_news.ARCHIVE
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            if content is not None:
                data = content if isinstance(content, bytes) else content.encode()
                member = tarfile.TarInfo(f"ag_news_csv/{name}")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    return path


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
    monkeypatch.setattr(ag_news, "DOWNLOAD_URL", "http://127.0.0.1:9/ag_news_csv.tar.gz")
    monkeypatch.setattr(loading, "_announced", set())
    return folder


@pytest.fixture
def course_data(tmp_path, monkeypatch):
    folder = tmp_path / "course_data"
    folder.mkdir()
    monkeypatch.setenv("COURSE_DATA", str(folder))
    return folder


@pytest.fixture
def serve(monkeypatch):
    """Serve answers as the publisher would: a function from a request handler's method."""
    servers = []

    def start(respond):
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
        url = f"http://127.0.0.1:{server.server_port}/{ag_news.ARCHIVE}"
        monkeypatch.setattr(ag_news, "DOWNLOAD_URL", url)

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
    def test_archive_then_prepared(self, course_data, nothing_around, capsys):
        archive = write_archive(course_data)
        random.seed(7)
        news = datasets.load("ag_news")
        assert random.random() == random.Random(7).random()
        assert (news.source, news.is_real) == ("archive", True)
        assert news.class_names == ("World", "Sports", "Business", "Sci/Tech")
        assert examples(news.train) == TRAIN_EXAMPLES
        assert examples(news.test) == {("Border Closed.", 0), ("Comet Seen.", 3)}
        assert f"4 train and 2 test texts from {archive}" in news.description
        output = capsys.readouterr()
        assert output.err == ""
        assert output.out.count("\n") == 1
        assert output.out.startswith("ag_news: preparing ag_news_csv.tar.gz.")

        archive.write_bytes(b"no longer looked at")
        again = datasets.load("ag_news", source="real")
        assert again.source == "prepared"
        assert str(nothing_around / "course_ag_news") in again.description
        assert [x for x, _ in again.train.as_numpy_iterator()] == [
            x for x, _ in news.train.as_numpy_iterator()
        ]
        assert capsys.readouterr() == ("", "")
        # One finished data set and nothing else: no downloads, no work in progress.
        assert [path.name for path in nothing_around.rglob("*") if path.is_dir()] == [
            "course_ag_news",
            "1.0.0",
        ]

    def test_elements_and_cardinality(self):
        news = datasets.load("ag_news", source="sample")
        for dataset, size in ((news.train, 4000), (news.test, 1000)):
            text, label = dataset.element_spec
            assert (text.shape, text.dtype.name) == ((), "string")
            assert (label.shape, label.dtype.name) == ((), "int64")
            assert int(dataset.cardinality()) == size

    def test_prepared_by_tfds_own_builder(self, nothing_around):
        import tensorflow_datasets as tfds

        class Subset(tfds.core.GeneratorBasedBuilder, skip_registration=True):
            name = "ag_news_subset"
            VERSION = tfds.core.Version("1.0.0")
            code_path = None

            def _info(self):
                features = {
                    "label": tfds.features.ClassLabel(names=CLASSES.split()),
                    "title": tfds.features.Text(),
                    "description": tfds.features.Text(),
                }
                return tfds.core.DatasetInfo(
                    builder=self, features=tfds.features.FeaturesDict(features)
                )

            def _split_generators(self, dl_manager):
                return {
                    "train": self._generate_examples(TRAIN),
                    "test": self._generate_examples(TEST),
                }

            def _generate_examples(self, rows):
                for key, (number, title, description) in enumerate(rows):
                    label = int(number) - 1
                    yield key, {"label": label, "title": title, "description": description}

        with contextlib.redirect_stdout(io.StringIO()):
            Subset(data_dir=nothing_around).download_and_prepare()
        news = datasets.load("ag_news")
        assert news.source == "prepared"
        assert str(nothing_around / "ag_news_subset" / "1.0.0") in news.description
        assert examples(news.train) == TRAIN_EXAMPLES

    def test_download_then_prepared(self, serve, tmp_path, monkeypatch, nothing_around):
        content = write_archive(tmp_path / "publisher").read_bytes()
        monkeypatch.setattr(ag_news, "DOWNLOAD_SHA256", hashlib.sha256(content).hexdigest())
        serve(sending(content))
        news = datasets.load("ag_news", source="real")
        assert news.source == "download"
        assert ag_news.DOWNLOAD_URL in news.description
        assert examples(news.train) == TRAIN_EXAMPLES
        monkeypatch.setattr(ag_news, "DOWNLOAD_URL", "http://127.0.0.1:9/")
        assert datasets.load("ag_news", source="real").source == "prepared"
        assert [path.name for path in nothing_around.iterdir()] == ["course_ag_news"]

    def test_download_comes_after_an_empty_course_data(self, serve, tmp_path, monkeypatch):
        content = write_archive(tmp_path / "publisher").read_bytes()
        monkeypatch.setattr(ag_news, "DOWNLOAD_SHA256", hashlib.sha256(content).hexdigest())
        serve(sending(content))
        (tmp_path / "empty").mkdir()
        monkeypatch.setenv("COURSE_DATA", str(tmp_path / "empty"))
        assert datasets.load("ag_news").source == "download"

    def test_fallback_to_the_sample_is_announced_once(self, course_data, nothing_around, capsys):
        news = datasets.load("ag_news")
        assert (news.source, news.is_real) == ("sample", False)
        for words in (
            "4,000 train and 1,000 test texts of the built-in sample",
            f"Prepared data: none in {nothing_around}.",
            f"COURSE_DATA names {course_data}, which has no ag_news_csv.tar.gz",
            "Download: the download from 127.0.0.1:9 failed",
        ):
            assert words in news.description
        assert capsys.readouterr() == (news.description + "\n", "")
        assert datasets.load("ag_news").description == news.description
        assert capsys.readouterr() == ("", "")
        assert not nothing_around.exists()

    def test_the_sample_as_asked_for_is_not_announced(self, capsys):
        news = datasets.load("ag_news", source="sample")
        assert news.source == "sample"
        assert "No real data" not in news.description
        assert capsys.readouterr() == ("", "")

    def test_real_says_for_each_source_why_not(self, nothing_around):
        with pytest.raises(datasets.DatasetError) as error:
            datasets.load("ag_news", source="real")
        lines = str(error.value).splitlines()
        assert lines[0] == "No real data for 'ag_news'."
        assert lines[1] == f"Prepared data: none in {nothing_around}."
        assert lines[2] == "Archive: COURSE_DATA is not set."
        assert lines[3].startswith("Download: the download from 127.0.0.1:9 failed")
        assert "COURSE_DATA" in lines[4]

    def test_course_source_decides_for_auto_only(self, course_data, monkeypatch):
        write_archive(course_data)
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

    def test_two_processes_prepare_at_once(self, course_data, nothing_around, monkeypatch):
        # The other process finishes while this one is still reading the archive.
        write_archive(course_data)
        read, other = archives.read_members, []

        def slow_read(path, names):
            if not other:
                other.append(None)
                other[0] = datasets.load("ag_news")
            return read(path, names)

        monkeypatch.setattr(archives, "read_members", slow_read)
        news = datasets.load("ag_news")
        assert (other[0].source, news.source) == ("archive", "archive")
        assert examples(news.train) == examples(other[0].train) == TRAIN_EXAMPLES
        assert [path.name for path in nothing_around.iterdir()] == ["course_ag_news"]


class TestErrors:
    @pytest.mark.parametrize("name", ["ag-news", "AG_News", "agnews"])
    def test_unknown_name_with_a_near_match(self, name):
        with pytest.raises(datasets.DatasetError) as error:
            datasets.load(name)
        assert repr(name) in str(error.value)
        assert "Did you mean 'ag_news'?" in str(error.value)

    def test_unknown_name(self):
        with pytest.raises(datasets.DatasetError, match=r"'mnist'\. Known: 'ag_news'\.$"):
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
    def test_damaged_archive(self, damage, message, source, course_data, nothing_around):
        archive = write_archive(course_data)
        archive.write_bytes(damage(archive.read_bytes()))
        with pytest.raises(datasets.DatasetError, match=message) as error:
            datasets.load("ag_news", source=source)
        assert str(archive) in str(error.value)
        assert not nothing_around.exists()

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"test_csv": None}, r"lacks ag_news_csv/test\.csv"),
            ({"classes_txt": None}, r"lacks ag_news_csv/classes\.txt"),
            ({"classes_txt": "Sports\nWorld\n"}, r"lists Sports, World; expected World, Sports"),
            ({"train_csv": as_csv([*TRAIN, ("3", "No description")])}, r"train\.csv, line 5: "),
            ({"train_csv": as_csv([("5", "a", "b")])}, r"line 1: received \['5', 'a', 'b'\]"),
            ({"train_csv": as_csv([("World", "a", "b")])}, r"line 1: received \['World'"),
            ({"train_csv": as_csv([("1", "", " ")])}, r"line 1: received \['1', '', ' '\]"),
            ({"train_csv": '"1","a","b"\n"2","never closed\n'}, r"train\.csv, line 2: "),
            ({"train_csv": '"1","a"b,"c"\n'}, r"train\.csv, line 1: "),
            ({"train_csv": b'"1","a","\xff"\n'}, r"train\.csv is not UTF-8"),
            ({"test_csv": ""}, r"test\.csv has no rows"),
        ],
    )
    def test_archive_with_wrong_content(self, changes, message, course_data, nothing_around):
        archive = write_archive(course_data, **changes)
        with pytest.raises(datasets.DatasetError, match=message) as error:
            datasets.load("ag_news")
        assert str(archive) in str(error.value)
        assert 1 <= str(error.value).count("\n") <= 2
        assert not nothing_around.exists()

    def test_replacing_a_broken_archive_is_enough(self, course_data):
        write_archive(course_data, train_csv="1,2\n")
        with pytest.raises(datasets.DatasetError):
            datasets.load("ag_news")
        write_archive(course_data)
        assert examples(datasets.load("ag_news").train) == TRAIN_EXAMPLES

    def test_damaged_prepared_data(self, course_data, nothing_around):
        write_archive(course_data)
        datasets.load("ag_news")
        (records,) = nothing_around.rglob("*train.tfrecord*")
        records.write_bytes(records.read_bytes()[:-5])
        with pytest.raises(datasets.DatasetError, match="cannot be read") as error:
            datasets.load("ag_news")
        folder = nothing_around / "course_ag_news" / "1.0.0"
        assert f"The prepared data in {folder}" in str(error.value)
        assert "Delete this folder" in str(error.value)

    def test_no_right_to_write(self, course_data, tmp_path, monkeypatch):
        # A folder below a file: nobody may create that, not even root.
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("TFDS_DATA_DIR", str(tmp_path / "file" / "tfds"))
        assert "TFDS_DATA_DIR" in datasets.load("ag_news").description
        assert datasets.load("ag_news").source == "sample"
        write_archive(course_data)
        with pytest.raises(datasets.DatasetError, match="TFDS_DATA_DIR"):
            datasets.load("ag_news")

    def test_no_home_folder(self, course_data, monkeypatch):
        pwd = pytest.importorskip("pwd")
        monkeypatch.delenv("TFDS_DATA_DIR")
        monkeypatch.delenv("HOME")
        monkeypatch.setattr(pwd, "getpwuid", lambda user: {}[user])
        assert datasets.load("ag_news").source == "sample"
        write_archive(course_data)
        with pytest.raises(datasets.DatasetError, match=r"no home folder.*TFDS_DATA_DIR"):
            datasets.load("ag_news")

    def test_no_room(self, course_data, nothing_around, monkeypatch):
        from course.datasets.ag_news import builder

        def write(*args, **kwargs):
            # As TensorFlow Datasets does it.
            raise RuntimeError("Failed to write") from OSError(errno.ENOSPC, "No space left")

        write_archive(course_data)
        monkeypatch.setattr(builder.Builder, "_generate_splits", write)
        with pytest.raises(datasets.DatasetError, match="TFDS_DATA_DIR"):
            datasets.load("ag_news")
        assert not nothing_around.exists()

    def test_something_in_the_place_of_prepared_data(self, course_data, nothing_around):
        write_archive(course_data)
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
        serve(respond)
        start = time.monotonic()
        news = datasets.load("ag_news")
        assert time.monotonic() - start < 2.5
        assert news.source == "sample"
        assert reason in news.description
        assert not nothing_around.exists()

    def test_endless_download(self, serve, monkeypatch):
        monkeypatch.setattr(archives, "DOWNLOAD_TIMEOUT_S", 0)
        serve(sending(bytes(1000)))
        assert "not finished after 0 seconds" in datasets.load("ag_news").description


ALONE = """
import hashlib, sys
from course import datasets
assert "tensorflow" not in sys.modules
import tensorflow
touched = []
def watch(event, arguments):
    writes = event == "open" and set(str(arguments[1])) & set("wax+")
    if writes or event.startswith(("socket.", "os.mkdir", "os.rename", "subprocess.")):
        touched.append((event, arguments))
sys.addaudithook(watch)
news = datasets.load("ag_news", source="sample")
texts = b"".join(text for text, _ in news.train.as_numpy_iterator())
assert not touched, touched
assert "tensorflow_datasets" not in sys.modules
print(hashlib.sha256(texts).hexdigest())
"""


def test_sample_alone_in_a_process(tmp_path):
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
    texts = b"".join(text.encode() for text, _, _ in sample.generate()["train"])
    assert done.stdout == hashlib.sha256(texts).hexdigest() + "\n"


# What each cue says: the article is about the first of the two events (0) or the second (1).
CUES = {
    "rather than that": 0,
    "even though": 0,
    "cared that": 0,
    "Not that": 1,
    "Instead of reporting": 1,
    "Although": 1,
    "Hardly anyone noticed": 0,
    "It seemed unimportant": 0,
    "Only a short note": 0,
    "All this was forgotten": 1,
    "The story of the day": 1,
    "But the whole of": 1,
    "the former": 0,
    "Everything else had to wait": 0,
    "the latter": 1,
    "The real story came last": 1,
}


@pytest.fixture(scope="module")
def articles():
    return sample.generate()


class TestSample:
    def test_is_the_same_everywhere(self, articles):
        digest = hashlib.sha256()
        for split, rows in articles.items():
            for text, label, phenomenon in rows:
                digest.update(f"{split}\t{text}\t{label}\t{phenomenon}\n".encode())
        assert digest.hexdigest() == (
            "1c6290dda50a4ce6a037d8afda9655b8fbe1294e2fc1d070b0ddf4a654a139dd"
        )

    def test_is_what_load_gives(self, articles):
        news = datasets.load("ag_news", source="sample")
        for split in ("train", "test"):
            loaded = getattr(news, split).as_numpy_iterator()
            assert [(text.decode(), label) for text, label in loaded] == [
                (text, label) for text, label, _ in articles[split]
            ]

    def test_shares(self, articles):
        for split, size in (("train", 4000), ("test", 1000)):
            rows = articles[split]
            assert collections.Counter(label for _, label, _ in rows) == dict.fromkeys(
                range(4), size // 4
            )
            phenomena = collections.Counter(phenomenon for _, _, phenomenon in rows)
            assert phenomena["topic"] / size == pytest.approx(3 / 4, abs=0.01)
            for phenomenon in ("contrast", "turn", "reference"):
                assert phenomena[phenomenon] / size == pytest.approx(1 / 12, abs=0.01)
                labels = [label for _, label, found in rows if found == phenomenon]
                counts = np.bincount(labels, minlength=4)
                assert counts.max() - counts.min() <= 1

    def test_texts(self, articles):
        texts = [text for rows in articles.values() for text, _, _ in rows]
        assert len(set(texts)) == 5000
        lengths = [len(text.split()) for text in texts]
        assert (min(lengths) >= 15, max(lengths) <= 60) == (True, True)
        assert not [text for text in texts if re.search(r"[{}]|  |\ba [aeiou]", text)]
        words = {word for text in texts for word in re.findall(r"\b[a-z]{5,}\b", text)}
        assert len(words) > 400

    def test_order_of_labels_has_no_pattern(self, articles):
        # A shuffled sequence: the labels repeat about as often as chance has it.
        labels = np.array([label for _, label, _ in articles["train"]])
        assert (labels[1:] == labels[:-1]).mean() == pytest.approx(0.25, abs=0.03)

    def test_a_bag_of_words_is_enough_for_topics_only(self, articles):
        train, test = ([list(x) for x in zip(*articles[s], strict=True)] for s in ("train", "test"))
        phenomena = np.array(test[2])
        for ngrams in ((1, 1), (1, 2)):
            vectorizer = TfidfVectorizer(ngram_range=ngrams, min_df=4)
            model = LogisticRegression(C=10, tol=0.001).fit(
                vectorizer.fit_transform(train[0]), train[1]
            )
            right = model.predict(vectorizer.transform(test[0])) == np.array(test[1])
            assert right[phenomena == "topic"].mean() > 0.98
            # Between two topics, a guess is right half the time.
            assert 0.35 < right[phenomena != "topic"].mean() < 0.65

    def test_hard_articles_are_about_what_their_cue_says(self, articles):
        easy = [(text, label) for text, label, found in articles["train"] if found == "topic"]
        vectorizer = TfidfVectorizer()
        model = LogisticRegression(C=10).fit(
            vectorizer.fit_transform([text for text, _ in easy]), [label for _, label in easy]
        )
        hard = [row for rows in articles.values() for row in rows if row[2] != "topic"]
        expected, told = [], collections.Counter()
        for text, _, phenomenon in hard:
            (which,) = {said for cue, said in CUES.items() if cue in text}
            told[phenomenon, which] += 1
            words = text.split()
            half = words[4 : len(words) // 2] if which == 0 else words[len(words) // 2 : -4]
            expected.append(" ".join(half))
        labels = [label for _, label, _ in hard]
        assert model.score(vectorizer.transform(expected), labels) > 0.9
        for phenomenon in ("contrast", "turn", "reference"):
            assert told[phenomenon, 0] == pytest.approx(told[phenomenon, 1], rel=0.25)


def real_archive():
    for folder in filter(None, REAL_FOLDERS):
        if (archive := Path(folder) / ag_news.ARCHIVE).is_file():
            return archive
    return None


@pytest.mark.skipif(
    real_archive() is None,
    reason=f"{ag_news.ARCHIVE} is neither in COURSE_DATA nor in ../shared/datasets",
)
def test_real_archive(tmp_path, course_data):
    from course.datasets.ag_news import builder

    # The whole archive is read; of every tenth row a small one is made and loaded.
    archive = real_archive()
    found = builder.read_archive(archive)
    assert 40_000 <= len(found["train"]) <= 120_000
    assert np.bincount([label for _, label in found["test"]]).tolist() == [1900] * 4
    texts = [text for rows in found.values() for text, _ in rows]
    # Whatever the dump did to the texts is gone, but for a handful of oddities.
    artefact = re.compile(r"\\|#\d+;|\b(?:quot|amp|lt|gt|nbsp);|</?(?:b|a|p|br|font)\b|  |^\s|\s$")
    assert sum(bool(artefact.search(text)) for text in texts) <= 10
    assert min(len(text.split()) for text in texts) >= 4

    tenth = {}
    with tarfile.open(archive) as members:
        for split in ("train", "test"):
            lines = members.extractfile(f"ag_news_csv/{split}.csv").readlines()
            tenth[f"{split}_csv"] = b"".join(lines[::10])
    write_archive(course_data, **tenth)
    news = datasets.load("ag_news", source="real")
    assert news.source == "archive"
    assert examples(news.train) == set(found["train"][::10])
    assert examples(news.test) == set(found["test"][::10])


@pytest.mark.parametrize(
    "name", ["", ".loading", ".grammar", ".ag_news.sample", ".ag_news.builder"]
)
def test_examples_in_docstrings(name):
    results = doctest.testmod(importlib.import_module("course.datasets" + name))
    assert results.attempted > 0
    assert results.failed == 0
