"""Data sets for text classification, behind one ``load``.

Example:
    >>> from course.data import datasets
    >>> news = datasets.load("ag_news", source="sample")
    >>> news.class_names
    ('World', 'Sports', 'Business', 'Sci/Tech')
"""

from course.data.datasets.errors import DatasetError
from course.data.datasets.folders import write_folders
from course.data.datasets.loading import DATASETS, SOURCES, TextDataset, load

__all__ = ["DATASETS", "SOURCES", "DatasetError", "TextDataset", "load", "write_folders"]
