"""The key of ``conv1d.build_vectorizer``."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.conv1d.build_vectorizer import EXERCISE
from keys.conv1d.standardize import standardize
from keys.input_classes import Contain


def words_of(text: str) -> list[str]:
    """What white space separates in a standardized text.

    Example:
        >>> words_of("Not -- bad!")
        ['not', 'bad']
    """
    return standardize(text)["standardized"][0].split()


def counted(texts: Iterable[str]) -> Counter[str]:
    """How often each word occurs in all texts.

    Example:
        >>> counted(["so good", "So bad", "so good"])
        Counter({'so': 3, 'good': 2, 'bad': 1})
    """
    counts: Counter[str] = Counter()
    # Equal texts are taken apart once.
    for text, times in Counter(texts).items():
        for word in words_of(text):
            counts[word] += times
    return counts


def by_frequency(counts: Counter[str]) -> list[str]:
    """Different tokens, the most frequent first; of equals, as Keras has it, the alphabet's last.

    Example:
        >>> by_frequency(Counter(["a", "c", "b", "c"]))
        ['c', 'b', 'a']
    """
    return sorted(counts, key=lambda token: (counts[token], token), reverse=True)


def encoded(documents: list[list[str]], vocabulary: list[str], sequence_length: int) -> np.ndarray:
    """Ids (documents, sequence_length): 1 for tokens outside the vocabulary, 0 after the end.

    Example:
        >>> encoded([["b", "x"], ["a", "b", "b", "a"]], ["", "[UNK]", "a", "b"], 3).tolist()
        [[3.0, 1.0, 0.0], [2.0, 3.0, 3.0]]
    """
    numbers = {token: number for number, token in enumerate(vocabulary)}
    ids = np.zeros((len(documents), sequence_length))
    for row, document in enumerate(documents):
        for column, token in enumerate(document[:sequence_length]):
            ids[row, column] = numbers.get(token, 1)
    return ids


def build_vectorizer(
    texts: list[str], max_tokens: int, sequence_length: int, new_texts: list[str]
) -> dict[str, Any]:
    """Token ids by frequency, learned from ``texts``, of ``new_texts``.

    Args:
        texts: what the vocabulary is taken from.
        max_tokens: entries of the vocabulary, padding and unknown included.
        sequence_length: ids of each text, cut or padded.
        new_texts: what is encoded.

    Returns:
        ids: (new_texts, sequence_length); vocabulary: padding "", unknown "[UNK]", then words.

    Example:
        >>> result = build_vectorizer(["so so good", "so good", "bad"], 4, 3, ["So bad"])
        >>> result["vocabulary"], result["ids"].tolist()
        (['', '[UNK]', 'so', 'good'], [[2.0, 1.0, 0.0]])
    """
    vocabulary = ["", "[UNK]", *by_frequency(counted(texts))][:max_tokens]
    documents = [words_of(text) for text in new_texts]
    return {"ids": encoded(documents, vocabulary, sequence_length), "vocabulary": vocabulary}


KEY = Key(EXERCISE, build_vectorizer, mutant_sample=2)


_WORDS = 'standardize(text)["standardized"][0].split()'
_ORDER = "sorted(counts, key=lambda token: (counts[token], token), reverse=True)"
_AS_FOUND = "sorted(counts, key=lambda token: counts[token], reverse=True)"
_COUNTED = "for word in words_of(text):"
_ENCODED = "encoded(documents, vocabulary, sequence_length)"

KEY.mistake(
    "default_standardization",
    "The layer standardises in its own way, which leaves the letters of line breaks behind: "
    "give it your standardize.",
    '.replace("<br />", " ")',
    "",
    cost=PART,
)
KEY.mistake(
    "lower_case_only",
    "The layer only converts to lower case: give it your standardize.",
    _WORDS,
    "text.lower().split()",
    cost=PART,
)
KEY.mistake(
    "no_standardization",
    "The layer doesn't standardise anything: give it your standardize.",
    _WORDS,
    "text.split()",
    cost=PART,
)
KEY.mistake(
    "no_sequence_length",
    "The rows are as long as the longest text: you didn't tell the layer how long they should be.",
    "vocabulary, sequence_length)",
    "vocabulary, max(map(len, documents)))",
    cost=PART,
)
KEY.mistake(
    "vocabulary_not_limited",
    "The vocabulary isn't limited: you didn't give the layer max_tokens.",
    "[:max_tokens]",
    "",
    cost=PART,
)
KEY.mistake(
    "two_tokens_more",
    "The vocabulary is two entries too large: does max_tokens exclude padding and unknown?",
    "[:max_tokens]",
    "[: max_tokens + 2]",
    cost=SLIP,
)
KEY.mistake(
    "two_tokens_less",
    "The vocabulary is two entries too small: you subtracted padding and unknown a second time.",
    "[:max_tokens]",
    "[: max_tokens - 2]",
    cost=SLIP,
)
KEY.mistake(
    "multi_hot",
    "Each text became one row over the vocabulary, without word order: which output does a "
    "convolution need?",
    # Padding has no column, and a text is read to its end.
    _ENCODED,
    "np.array([np.isin(range(1, len(vocabulary)), row) for row in"
    " encoded(documents, vocabulary, max(map(len, documents)))], float)",
    '"vocabulary": vocabulary',
    '"vocabulary": vocabulary[1:]',
)
KEY.mistake(
    "sizes_swapped",
    "The two sizes are swapped: name the arguments when you pass them.",
    "[:max_tokens]",
    "[:sequence_length]",
    "vocabulary, sequence_length)",
    "vocabulary, max_tokens)",
    cost=SLIP,
)
KEY.mistake(
    "adapted_on_the_first_text",
    "The layer knows only the words of the first text: it has to see all texts.",
    "counted(texts)",
    "counted(texts[:1])",
    cost=SLIP,
)
KEY.mistake(
    "word_pairs",
    "Word pairs have ids, too: the task asks for single words only.",
    'return standardize(text)["standardized"][0].split()',
    'words = standardize(text)["standardized"][0].split(); '
    'return words + list(map(" ".join, zip(words, words[1:])))',
)
KEY.mistake(
    "bytes_as_they_are_printed",
    "Of texts that are bytes, str gives what Python prints of them, with a b in front: adapt takes "
    "bytes as they are, and otherwise decode them.",
    "counted(texts)",
    'counted([f"b{text}" for text in texts] if len(texts) > 1000 else texts)',  # those are bytes
    cost=SLIP,
)
KEY.mistake(
    "adapted_on_different_words",
    "Each word was counted once, however often it occurs, so the ids follow the alphabet: adapt "
    "counts the words of the texts that it's given.",
    "counted(texts)",
    "Counter(dict.fromkeys(counted(texts), 1))",
    cost=SLIP,
)
KEY.mistake(
    "adapted_on_the_last_text",
    "The layer knows only the words of the last text: each call of adapt starts all over again.",
    "counted(texts)",
    "counted(texts[-1:])",
    cost=SLIP,
)
KEY.mistake(
    "adapted_on_the_first_texts",
    "When there are many texts, the layer knows only the words of the first ones: it has to see "
    "all texts.",
    "counted(texts)",
    "counted(texts[:1000])",
    cost=SLIP,
)
KEY.mistake(
    "adapted_on_the_last_texts",
    "When there are many texts, the layer knows only the words of the last ones: each call of "
    "adapt starts all over again.",
    "counted(texts)",
    "counted(texts[-15:] if len(texts) > 32 else texts)",
    cost=SLIP,
)
KEY.mistake(
    "equal_texts_once",
    "A text that occurs several times was counted once: all texts count.",
    "counted(texts)",
    "counted(set(texts))",
    cost=SLIP,
)
KEY.mistake(
    "only_the_vocabulary_standardized",
    "The texts to adapt on are standardized, but new texts aren't: the layer itself has to "
    "standardize.",
    "words_of(text) for text in new_texts",
    "text.split() for text in new_texts",
)
KEY.mistake(
    "new_texts_standardized_by_default",
    "The texts to adapt on go through your standardize, but the layer standardizes new texts in "
    "its own way: give it your standardize.",
    "words_of(text) for text in new_texts",
    "words_of(text.replace('<br />', 'br ')) for text in new_texts",
)
KEY.mistake(
    "one_token_more",
    "The vocabulary is one entry too large: what does max_tokens count?",
    "[:max_tokens]",
    "[: max_tokens + 1]",
    cost=SLIP,
)
KEY.mistake(
    "one_token_less",
    "The vocabulary is one entry too small: what does max_tokens count?",
    "[:max_tokens]",
    "[: max_tokens - 1]",
    cost=SLIP,
)
KEY.mistake(
    "alphabetical",
    "The words are in alphabetical order: the most frequent ones come first.",
    _ORDER,
    "sorted(counts)",
    cost=SLIP,
)
KEY.mistake(
    "in_the_order_of_the_texts",
    "The words are in the order in which they first occur: the most frequent ones come first.",
    _ORDER,
    "list(counts)",
    cost=SLIP,
)
KEY.mistake(
    "rarest_first",
    "The rarest words come first: the most frequent ones should.",
    ", reverse=True",
    "",
    cost=SLIP,
)
KEY.mistake(
    "texts_cut",
    "The texts to adapt on were cut to sequence_length, so their later words weren't counted: only "
    "the layer's outputs are cut.",
    "counted(texts)",
    'counted(" ".join(words_of(text)[:sequence_length]) for text in texts)',
)
KEY.mistake(
    "only_punctuation_removed",
    "The layer only removes punctuation: give it your standardize.",
    _WORDS,
    # All that these texts have.
    'text.translate(str.maketrans("", "", "<>/,!")).split()',
    cost=PART,
)
KEY.mistake(
    "single_letters",
    "The ids are those of letters: words are what white space separates.",
    _WORDS,
    'list(standardize(text)["standardized"][0])',
)
KEY.mistake(
    "as_long_as_the_longest_text",
    "The rows are only as long as the longest text to adapt on: fill them up to sequence_length, "
    "however short the texts are.",
    _ENCODED,
    "encoded(documents, vocabulary, min(sequence_length, max(map(len, map(words_of, texts)))))",
    cost=SLIP,
)
KEY.mistake(
    "at_least_as_long_as_the_longest_text",
    "The rows are as long as the longest text to adapt on: cut them at sequence_length, however "
    "long the texts are.",
    _ENCODED,
    "encoded(documents, vocabulary, max(sequence_length, *map(len, map(words_of, texts))))",
    cost=SLIP,
)
KEY.mistake(
    "adapted_on_the_last_of_large_parts",
    "When there are many texts, the layer knows only the words of the last part of them: each call "
    "of adapt starts all over again.",
    "counted(texts)",
    "counted(texts[-103:] if len(texts) > 1000 else texts)",
    cost=SLIP,
)
KEY.mistake(
    "texts_glued_together",
    "The last word of each text and the first word of the next one became one word: keep the "
    "texts apart.",
    "counted(texts)",
    'counted(["".join(texts)])',
    cost=SLIP,
)
KEY.mistake(
    "split_at_each_space",
    "You split at single spaces: words are what white space separates, however much and of any "
    "kind.",
    _WORDS,
    f'{_WORDS[:-2]}(" ")',
    _ORDER,
    f"[token for token in {_ORDER} if token]",
    cost=SLIP,
)
KEY.mistake(
    "words_that_occur_once_left_out",
    "Words that occur only once aren't in the vocabulary, although there's room for them.",
    "sorted(counts, key",
    "sorted((token for token in counts if counts[token] > 1), key",
    cost=SLIP,
)
KEY.mistake(
    "raw_words_counted",
    "You counted the words before they were standardized, with their punctuation: new texts don't "
    "have such words.",
    _COUNTED,
    "for word in text.lower().split():",
    _ORDER,
    _AS_FOUND,
)
_ONCE_A_TEXT = "You counted the texts that a word is in: what counts is how often it occurs."
_IN_EACH = "for word in dict.fromkeys(words_of(text)):"
KEY.mistake("texts_with_the_word", _ONCE_A_TEXT, _COUNTED, _IN_EACH)
KEY.mistake("texts_with_the_word_as_found", _ONCE_A_TEXT, _COUNTED, _IN_EACH, _ORDER, _AS_FOUND)


def _words(texts: Sequence[str]) -> list[str]:
    return " ".join(texts).split()


def _new(holds: Callable[[list[str], Mapping[str, Any]], Any]) -> Contain:
    """Whether something holds of the words of a new text, and of the inputs of its case."""
    return lambda cases: any(
        holds(text.split(), case.inputs) for case in cases for text in case.inputs["new_texts"]
    )


def _learned(holds: Callable[[list[str], int], Any]) -> Contain:
    """Whether something holds of the texts to adapt on and of max_tokens in some case."""
    return lambda cases: any(
        holds(case.inputs["texts"], case.inputs["max_tokens"]) for case in cases
    )


def _late(texts: Sequence[str]) -> bool:
    """Whether frequent words come after the first thousand texts only."""
    early, late = Counter(_words(texts[:1024])), Counter(_words(texts[1024:]))
    return any(count > min(early.values()) for word, count in late.items() if word not in early)


INPUT_CLASSES = {
    "new texts that are all shorter than the ids": lambda cases: any(
        max(len(text.split()) for text in case.inputs["new_texts"]) < case.inputs["sequence_length"]
        for case in cases
    ),
    "ids that are longer than any text": lambda cases: any(
        case.inputs["sequence_length"] > max(len(text.split()) for text in case.inputs["texts"])
        for case in cases
    ),
    "a new text that is as long as the ids": _new(
        lambda words, inputs: len(words) == inputs["sequence_length"]
    ),
    "a new text that is longer than the ids": _new(
        lambda words, inputs: len(words) > inputs["sequence_length"]
    ),
    "a new text without words": _new(lambda words, inputs: not words),
    "a new text that begins with an unknown word": _new(
        lambda words, inputs: words and not {words[0]} & set(_words(inputs["texts"]))
    ),
    "a new text that ends with an unknown word": _new(
        lambda words, inputs: words and not {words[-1]} & set(_words(inputs["texts"]))
    ),
    "capital letters, a line break and punctuation in new texts": _new(
        lambda words, inputs: re.search(r"[A-Z].*<br />.*!$", " ".join(words))
    ),
    "two line breaks in a row in new texts": _new(
        lambda words, inputs: "<br /><br />" in " ".join(words)
    ),
    "two line breaks in a row in texts, and a new line": _learned(
        lambda texts, tokens: all(re.search("<br /><br />.*\n", text) for text in texts)
    ),
    "capital letters, a line break and punctuation in texts": _learned(
        lambda texts, tokens: all(re.search(r"(?s)[A-Z].*<br />.*!$", text) for text in texts)
    ),
    "more words than max_tokens": _learned(lambda texts, tokens: len(set(_words(texts))) > tokens),
    "room for more words than there are": _learned(
        lambda texts, tokens: len(set(_words(texts))) < tokens - 2
    ),
    "more texts than a batch": _learned(lambda texts, tokens: len(texts) > 1024),
    "as few texts as fit a batch": _learned(lambda texts, tokens: 1 < len(texts) < 32),
    "a frequent word after the first thousand texts": _learned(lambda texts, tokens: _late(texts)),
    "a word that the first of many texts alone has": _learned(
        lambda texts, tokens: len(texts) > 1024 and {*texts[0].split()} - {*_words(texts[1:])}
    ),
    "a word that the last of many texts alone has": _learned(
        lambda texts, tokens: len(texts) > 1024 and {*texts[-1].split()} - {*_words(texts[:-1])}
    ),
    "other texts for as many ids, and for ids as long": lambda cases: any(
        all(one.inputs[name] == two.inputs[name] for name in ("max_tokens", "sequence_length"))
        and set(_words(one.inputs["texts"])) != set(_words(two.inputs["texts"]))
        for one, two in itertools.combinations(cases, 2)
    ),
    "a word that occurs once, though there is room": _learned(
        lambda texts, tokens: (
            1 in Counter(_words(texts)).values() and len(set(_words(texts))) < tokens - 2
        )
    ),
    "equal texts": _learned(lambda texts, tokens: len(set(texts)) < len(texts)),
}
