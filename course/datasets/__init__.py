"""Data sets for text classification, behind one ``load``.

Example:
    >>> from course import datasets
    >>> news = datasets.load("ag_news", source="sample")
    >>> news.class_names
    ('World', 'Sports', 'Business', 'Sci/Tech')
"""

from course.datasets.errors import DatasetError
from course.datasets.folders import write_folders
from course.datasets.loading import DATASETS, SOURCES, TextDataset, load

__all__ = ["DATASETS", "SOURCES", "DatasetError", "TextDataset", "load", "write_folders"]
