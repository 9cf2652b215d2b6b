"""IMDB for TensorFlow Datasets: from the publisher's archive to (text, label) examples."""

from collections.abc import Mapping
from pathlib import Path

import tensorflow as tf
import tensorflow_datasets as tfds

from course.data.datasets import archives, text_builder
from course.data.datasets.errors import DatasetError
from course.data.datasets.imdb import ARCHIVE, CLASS_NAMES, VERSION

_FOLDER = "aclImdb"


class Builder(text_builder.TextBuilder):
    """IMDB as the course uses it: the reviews as their publisher has them, ``<br />`` and all."""

    name = "course_imdb"
    VERSION = tfds.core.Version(VERSION)
    ARCHIVE = ARCHIVE
    DESCRIPTION = "Film reviews with a negative or a positive opinion, as published."
    HOMEPAGE = "https://ai.stanford.edu/~amaas/data/sentiment/"

    def read(self, archive: Path) -> text_builder.Examples:
        """Read the publisher's archive."""
        return read_archive(archive)


def read_archive(path: Path) -> text_builder.Examples:
    """Read the publisher's archive.

    Its folders ``train`` and ``test`` have the folders ``neg`` and ``pos`` with a file for each
    review. Everything else, such as the reviews without a label in ``train/unsup``, is left out.

    Args:
        path: The archive.

    Returns:
        The texts, unchanged, and their labels, in the order of the files' names.

    Raises:
        DatasetError: The archive is broken, a folder has no reviews, or a file is no text.
    """
    # The names of the files are fixed, so that the order does not depend on the archive's.
    folders = {
        split: {f"{_FOLDER}/{split}/{name}/": label for label, name in enumerate(CLASS_NAMES)}
        for split in ("train", "test")
    }
    patterns = [f"{folder}*.txt" for labels in folders.values() for folder in labels]
    contents = archives.read_members(path, patterns)
    splits = {
        split: [
            (_decode(contents[member], f"{path}: {member}"), label)
            for folder, label in labels.items()
            for member in sorted(name for name in contents if name.startswith(folder))
        ]
        for split, labels in folders.items()
    }
    return text_builder.Examples(CLASS_NAMES, splits)


def _decode(content: bytes, where: str) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DatasetError(f"{where} is not UTF-8: {error}.\nFetch the archive again.") from error
    if not text.strip():
        raise DatasetError(f"{where} is empty; expected a review.\nFetch the archive again.")
    return text


def texts_from_tfds(features: Mapping) -> tf.Tensor:
    """Take the texts from the data that TensorFlow Datasets' own builder prepared.

    Args:
        features: Its features: "text", a tensor of shape (texts,).

    Returns:
        The texts, unchanged.
    """
    return features["text"]
