"""English for the first lesson, ready offline: a WordNet lemmatizer and stop words.

NLTK's own data serve where NLTK finds them: in its own folders, then in ``nltk_data`` of the folder
that the environment variable ``COURSE_DATA`` names. Elsewhere a small WordNet and a list of stop
words that come with the course do. Nothing is ever downloaded.
"""

from __future__ import annotations

import os
from collections import defaultdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

if TYPE_CHECKING:
    from nltk.stem import WordNetLemmatizer

_CORPORA = files("course.data") / "nltk_data" / "corpora"


def lemmatizer() -> WordNetLemmatizer:
    """NLTK's lemmatizer with a WordNet behind it.

    Returns:
        A ``nltk.stem.WordNetLemmatizer``; its ``lemmatize(word, pos)`` takes the part of speech
        "n", "v", "a" or "r". A word that its WordNet does not know comes back unchanged.

    Example:
        >>> lemmatizer().lemmatize("children", "n")
        'child'
        >>> lemmatizer().lemmatize("went", "v")
        'go'
    """
    from nltk.stem import WordNetLemmatizer

    _wordnet()
    return WordNetLemmatizer()


def stopwords() -> frozenset[str]:
    """English stop words in lower case; "not", "no" and "nor" are among them.

    Example:
        >>> {"the", "not"} <= stopwords()
        True
    """
    return _nltks_stopwords() or _own_stopwords()


def describe() -> str:
    """Say in one line which WordNet and which stop words are in use."""
    wordnet = "the full one" if _wordnet() else "the course's small one"
    whose = "NLTK's" if _nltks_stopwords() else "the course's"
    return f"WordNet: {wordnet}. Stop words: {whose} list of {len(stopwords())}."


@cache
def _nltks_stopwords() -> frozenset[str]:
    """NLTK's list, or nothing where NLTK finds none."""
    corpus = _corpus("stopwords")
    if corpus is None or "english" not in corpus.fileids():
        return frozenset()
    return frozenset(corpus.words("english"))


@cache
def _own_stopwords() -> frozenset[str]:
    return frozenset((_CORPORA / "stopwords" / "english").read_text("utf8").split())


@cache
def _wordnet() -> bool:
    """Make sure that NLTK has a WordNet; return whether it is the full one.

    Where NLTK finds none, the small one takes its place, so that every ``WordNetLemmatizer``
    works, however a student makes it.
    """
    if _corpus("wordnet") is not None:
        return True
    import nltk

    nltk.corpus.wordnet = _small_wordnet()
    return False


def _corpus(name: str) -> Any:
    """One of NLTK's corpora, or None where NLTK finds no data for it."""
    import nltk

    named = os.environ.get("COURSE_DATA")
    folder = str(Path(named).resolve() / "nltk_data") if named else ""
    if Path(folder, "corpora").is_dir() and folder not in nltk.data.path:
        nltk.data.path.append(folder)
    corpus = getattr(nltk.corpus, name)
    try:
        corpus.ensure_loaded()
    except (LookupError, OSError, BadZipFile):
        return None
    return corpus


def _small_wordnet() -> Any:
    """The course's WordNet: NLTK's reader on the files that lemmatizing needs, and no others."""
    from nltk.corpus.reader import WordNetCorpusReader

    class SmallWordNet(WordNetCorpusReader):
        # The reader's own constructor refuses files outside NLTK's folders, as well as files that
        # the user's group may write, as in many a checkout; and it asks for ten times as many.
        def __init__(self) -> None:
            self.satellite_offsets: set[int] = set()
            self._lemma_pos_offset_map = defaultdict(dict)
            self._exception_map: dict[str, dict[str, list[str]]] = {}
            self._load_lemma_pos_offset_map()
            self._load_exception_map()

        def open(self, file: str) -> Any:
            return (_CORPORA / "wordnet" / file).open(encoding="utf8")

        def ensure_loaded(self) -> None:
            """It is."""

        def __repr__(self) -> str:
            return "<the course's small WordNet: lemmas only>"

    return SmallWordNet()
