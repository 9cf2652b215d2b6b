"""A data set as many others are published: one file per text, one folder per class."""

import tempfile
from pathlib import Path

from course.data.datasets.loading import TextDataset


def write_folders(data: TextDataset, most: int) -> Path:
    """Write texts to files such as ``train/neg/0.txt``, as Keras' examples read them.

    Args:
        data: The texts and their classes.
        most: How many texts of each split are written, from the first.

    Returns:
        A new folder for temporary files, with a folder ``train`` and a folder ``test`` in it.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{data.name}-"))
    for split in ("train", "test"):
        for name in data.class_names:
            (folder / split / name).mkdir(parents=True)
        rows = getattr(data, split).take(most).as_numpy_iterator()
        for number, (text, label) in enumerate(rows):
            (folder / split / data.class_names[label] / f"{number}.txt").write_bytes(text)
    return folder
