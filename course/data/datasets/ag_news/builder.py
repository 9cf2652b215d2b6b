"""AG News for TensorFlow Datasets: from the publisher's archive to clean (text, label) examples."""

import csv
import html
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import tensorflow_datasets as tfds

from course.data.datasets import archives, text_builder
from course.data.datasets.ag_news import ARCHIVE, CLASS_NAMES, VERSION
from course.data.datasets.errors import DatasetError

_FOLDER = "ag_news_csv"
_CLASS_NUMBERS = {str(label + 1): label for label in range(len(CLASS_NAMES))}
# The dump lost the "&" of most entities and has a space in its place. Only names that are no
# English words: "not;" and "part;" are entities too.
_LOST_ENTITY = re.compile(
    r"(?:^| )(#\d{2,5}|quot|amp|apos|lt|gt|nbsp|[lr][sd]quo|hellip|[mn]dash|[a-z]acute|[a-z]uml);"
)
_BLOCK_TAG = re.compile(
    r"</?(?:p|br|hr|div|img|li|ul|ol|table|tr|td|h\d)(?:[\s/][^<>]*)?>", re.IGNORECASE
)
_INLINE_TAG = re.compile(
    r"</?(?:a|b|big|cite|code|em|font|i|nobr|small|span|strong|sub|sup|u)(?:[\s/][^<>]*)?>",
    re.IGNORECASE,
)


class Builder(text_builder.TextBuilder):
    """AG News as the course uses it: title and description in one text."""

    name = "course_ag_news"
    VERSION = tfds.core.Version(VERSION)
    ARCHIVE = ARCHIVE
    DESCRIPTION = "News articles of four topics: title and description in one clean text."
    HOMEPAGE = "https://arxiv.org/abs/1509.01626"

    def read(self, archive: Path) -> text_builder.Examples:
        """Read the publisher's archive."""
        return read_archive(archive)


def read_archive(path: Path) -> text_builder.Examples:
    """Read the publisher's archive.

    Its ``train.csv`` and ``test.csv`` have the columns class (1 to 4), title and description. Some
    copies have rows with an empty title and both texts joined in the third column; they give the
    same text.

    Args:
        path: The archive.

    Returns:
        The texts and labels, in the archive's order.

    Raises:
        DatasetError: The archive is broken, lacks a file, or has a row that is no article.
    """
    members = {split: f"{_FOLDER}/{split}.csv" for split in ("train", "test")}
    class_list = f"{_FOLDER}/classes.txt"
    contents = archives.read_members(path, [*members.values(), class_list])
    if (found := tuple(contents[class_list].decode("utf-8", "replace").split())) != CLASS_NAMES:
        raise DatasetError(
            f"{path}: {class_list} lists {', '.join(found) or 'nothing'}; expected"
            f" {', '.join(CLASS_NAMES)}.\nFetch the publisher's archive again."
        )
    splits = {
        split: list(_read_rows(contents[member], f"{path}: {member}"))
        for split, member in members.items()
    }
    return text_builder.Examples(CLASS_NAMES, splits)


def _read_rows(content: bytes, where: str) -> Iterator[tuple[str, int]]:
    try:
        reader = csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True)
    except UnicodeDecodeError as error:
        raise DatasetError(f"{where} is not UTF-8: {error}.\nFetch the archive again.") from error
    rows = 0
    try:
        for row in reader:
            if len(row) != 3 or row[0] not in _CLASS_NUMBERS or not "".join(row[1:]).strip():
                raise csv.Error(f"received {str(row)[:80]}")
            yield clean_text(row[1], row[2]), _CLASS_NUMBERS[row[0]]
            rows += 1
    except csv.Error as error:
        raise DatasetError(
            f"{where}, line {reader.line_num}: {error}.\nExpected three quoted columns: class 1 to"
            f" {len(CLASS_NAMES)}, title, description. Fetch the archive again."
        ) from error
    if rows == 0:
        raise DatasetError(f"{where} has no rows; expected articles.\nFetch the archive again.")


def clean_text(title: str, description: str) -> str:
    r"""Join the two columns and undo what the dump did to them.

    In this order:

    1. Entities that lost their "&" to a space get it back: ``Japan #39;s``, ``AT amp;T``,
       ``quot;yes quot;``. Then all entities become characters: ``Japan's``, ``AT&T``, ``"yes"``.
    2. HTML tags go, and with them the addresses in links; the text between them stays. Other
       things in angle brackets, such as the ticker ``<CIEN.O>``, stay.
    3. ``\$`` is a dollar sign; every other backslash stands for a line break and becomes a space.
    4. White space becomes single spaces.

    Args:
        title: The second column; may be empty.
        description: The third column; may be empty.

    Returns:
        The clean text.

    Example:
        >>> clean_text("Oil at \\$47", "Japan #39;s stocks\\fell. &lt;b&gt;...&lt;/b&gt;")
        "Oil at $47 Japan's stocks fell. ..."
    """
    columns = (_LOST_ENTITY.sub(r"&\1;", column) for column in (title, description))
    text = html.unescape(" ".join(columns))
    text = _INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", text))
    return " ".join(text.replace("\\$", "$").replace("\\", " ").split())


def texts_from_tfds(features: Mapping) -> list[str]:
    """Make the course's texts from the data that TensorFlow Datasets' own builder prepared.

    Args:
        features: Its features: "title" and "description", tensors of shape (texts,).

    Returns:
        The clean texts.
    """
    columns = (features[name].numpy() for name in ("title", "description"))
    return [clean_text(title.decode(), text.decode()) for title, text in zip(*columns, strict=True)]
