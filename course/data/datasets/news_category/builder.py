"""News Category for TensorFlow Datasets: from the publisher's file to (text, label) examples."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import tensorflow_datasets as tfds

from course.data.datasets import text_builder
from course.data.datasets.errors import DatasetError
from course.data.datasets.news_category import ARCHIVE, VERSION

_KEYS = ("category", "headline", "short_description")


class Builder(text_builder.TextBuilder):
    """News Category as the course uses it: headline and short description in one text."""

    name = "course_news_category"
    VERSION = tfds.core.Version(VERSION)
    ARCHIVE = ARCHIVE
    DESCRIPTION = "News: headline and short description in one text, with its category."
    HOMEPAGE = "https://arxiv.org/abs/2209.11429"

    def read(self, archive: Path) -> text_builder.Examples:
        """Read the publisher's file."""
        return read_file(archive)


def read_file(path: Path) -> text_builder.Examples:
    """Read the publisher's file, and split what it holds.

    Each line is a JSON object; "headline" and "short_description", joined by a space and with all
    white space made single spaces, are the text. Rows without any text are left out. The classes
    are the categories of the other rows, in alphabetical order.

    Each text's own hash decides on which side it is, so that a text is never on both, and its side
    depends neither on the other rows nor on their order.

    Args:
        path: The file.

    Returns:
        The texts and labels in alphabetical order: about four fifths for training.

    Raises:
        DatasetError: The file cannot be read, has a line that is no such object, or has too few
            rows to split.
    """
    rows = list(_read_rows(path))
    class_names = sorted({category for _, category in rows})
    label_of = {category: label for label, category in enumerate(class_names)}
    splits: dict[str, list[tuple[str, int]]] = {"train": [], "test": []}
    for text, category in sorted(rows):
        splits[split_of(text)].append((text, label_of[category]))
    if missing := [split for split, examples in splits.items() if not examples]:
        raise DatasetError(
            f"{path} has {len(rows)} rows with text, and none for {' and '.join(missing)}.\n"
            "Expected the publisher's file, whole and unchanged. Fetch it again, or take it away."
        )
    return text_builder.Examples(class_names, splits)


def _read_rows(path: Path) -> Iterator[tuple[str, str]]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise DatasetError(
            f"{path} cannot be read: {error}.\nMend that, or take it away."
        ) from error
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line.decode("utf-8"))
            if not isinstance(row, dict):
                raise ValueError(f"received {str(row)[:80]}")
            if wrong := [key for key in _KEYS if not isinstance(row.get(key), str)]:
                raise ValueError(f"no text for {', '.join(wrong)}")
            if not (category := row["category"].strip()):
                raise ValueError("an empty category")
            text = " ".join(f"{row['headline']} {row['short_description']}".split())
            (category + text).encode("utf-8")  # JSON can hold half a surrogate pair
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", error)  # of JSON's errors without their own line number
            raise DatasetError(
                f"{path}, line {number}: {reason}.\nExpected UTF-8, and in each line a JSON object"
                f" with texts for {', '.join(_KEYS)}. Fetch the publisher's file again."
            ) from error
        if text:
            yield text, category


def split_of(text: str) -> str:
    """Say on which side of the split a text is.

    Args:
        text: A text.

    Returns:
        "test" if the first four bytes of its UTF-8 form's SHA-256, as a big-endian number, are
        divisible by 5, and else "train".

    Example:
        >>> [split_of(text) for text in ("Rain in June", "Snow in June", "Wind in June")]
        ['train', 'train', 'test']
    """
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return "train" if int.from_bytes(digest[:4], "big") % 5 else "test"
