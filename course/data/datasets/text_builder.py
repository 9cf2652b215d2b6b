"""What the builders for TensorFlow Datasets share: (text, label) examples of a publisher's archive.

This module and the builders import TensorFlow Datasets; they are imported when there is something
to prepare.
"""

import abc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import tensorflow_datasets as tfds


class Examples(NamedTuple):
    """What an archive holds.

    Attributes:
        class_names: The names of the classes; a label is an index into them.
        splits: For "train" and "test" the list of ``(text, label)``.
    """

    class_names: Sequence[str]
    splits: dict[str, list[tuple[str, int]]]


class TextBuilder(tfds.core.GeneratorBasedBuilder, skip_registration=True):
    """Prepares texts and labels. TensorFlow Datasets shuffles them, always in the same way.

    A data set's builder has the attributes ``name``, ``VERSION`` and:

    Attributes:
        ARCHIVE: The publisher's name for the archive.
        DESCRIPTION: What the texts are, in a sentence.
        HOMEPAGE: Where the data are described.
    """

    ARCHIVE: str
    DESCRIPTION: str
    HOMEPAGE: str
    MANUAL_DOWNLOAD_INSTRUCTIONS = "Put the publisher's archive into the folder."
    # Where to look for a list of checksums; there is none. (To find the place by itself, TensorFlow
    # Datasets 4.9.10 imports importlib_resources, which it does not install.)
    code_path = None

    @abc.abstractmethod
    def read(self, archive: Path) -> Examples:
        """Read the publisher's archive."""

    def _info(self) -> tfds.core.DatasetInfo:
        features = {
            "text": tfds.features.Text(),
            "label": tfds.features.ClassLabel(),  # named when the archive is read
        }
        return tfds.core.DatasetInfo(
            builder=self,
            description=self.DESCRIPTION,
            features=tfds.features.FeaturesDict(features),
            supervised_keys=("text", "label"),
            homepage=self.HOMEPAGE,
        )

    def _split_generators(self, dl_manager: tfds.download.DownloadManager) -> dict[str, Iterator]:
        class_names, splits = self.read(Path(dl_manager.manual_dir) / self.ARCHIVE)
        self.info.features["label"].names = class_names
        return {split: self._generate_examples(rows) for split, rows in splits.items()}

    def _generate_examples(self, rows: list[tuple[str, int]]) -> Iterator[tuple[int, dict]]:
        for key, (text, label) in enumerate(rows):
            yield key, {"text": text, "label": label}
