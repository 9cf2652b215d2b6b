"""Texts in files, as Keras' function for folders reads them."""

import tempfile

import keras
import pytest

from course.data import datasets


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return datasets.write_folders(datasets.load("imdb", source="sample"), most=30)


@pytest.mark.parametrize("split", ["train", "test"])
def test_keras_reads_the_same_texts_with_the_same_labels(folder, split):
    data = datasets.load("imdb", source="sample")
    found = keras.utils.text_dataset_from_directory(folder / split, batch_size=None, verbose=False)
    assert tuple(found.class_names) == data.class_names
    expected = getattr(data, split).take(30)
    assert sorted(found.as_numpy_iterator()) == sorted(expected.as_numpy_iterator())


def test_each_call_makes_a_folder_of_its_own(folder):
    other = datasets.write_folders(datasets.load("imdb", source="sample"), most=2)
    assert other != folder
    assert len(list(folder.glob("test/*/*.txt"))) == 30
    assert len(list(other.glob("test/*/*.txt"))) == 2
