"""The key of ``preprocessing.find_emails``."""

from __future__ import annotations

import re

from autograder.judging.keys import Key
from course.exercises.preprocessing.find_emails import EXERCISE


def find_emails(text: str) -> dict[str, list[str]]:
    """All e-mail addresses of a text, in its order: letters, digits and ._%+- before the @, labels
    joined by dots after it, the last of letters.

    Returns:
        addresses.

    Example:
        >>> find_emails("Ask ann@x.org, or (bob@mail.y.com).")["addresses"]
        ['ann@x.org', 'bob@mail.y.com']
    """
    pattern = r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}"
    return {"addresses": re.findall(pattern, text)}


KEY = Key(EXERCISE, find_emails)

_PATTERN = r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}"

KEY.mistake(
    "words_with_an_at",
    "The text was split at white space: the punctuation around an address came along, and so did "
    "words with an @ that are no address.",
    "re.findall(pattern, text)",
    '[word for word in text.split() if "@" in word]',
    alone=True,
)
KEY.mistake(
    "anything_around_the_at",
    "Anything but white space was allowed around the @: which characters may an address have?",
    _PATTERN,
    r"\S+@\S+",
)
KEY.mistake(
    "word_characters_only",
    "Only letters, digits and underscores were allowed: dots, plus signs and hyphens cut an "
    "address short.",
    _PATTERN,
    r"\w+@\w+\.\w+",
)
KEY.mistake(
    "dots_and_hyphens_only",
    "Signs that an address may have cut it short, and anything with dots was taken for a domain: "
    "compare with the task what may stand before the @, and with what an address must end.",
    _PATTERN,
    r"[\w.-]+@[\w.-]+",
)
KEY.mistake(
    "only_the_group",
    "A group in parentheses came back in the place of the whole match: what does findall return "
    "when a pattern has groups?",
    "(?:",
    "(",
)
KEY.mistake(
    "first_address_only",
    "Only the first address was returned: the search must go on after it.",
    "re.findall(pattern, text)",
    "re.findall(pattern, text)[:1]",
)
KEY.mistake(
    "small_letters_only",
    "Capital letters are letters as well: they were left out.",
    _PATTERN,
    r"[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}",
)
KEY.mistake(
    "single_label_domain",
    "Only one dot was expected after the @: a domain may have several labels.",
    r"(?:[A-Za-z0-9-]+\.)+",
    r"[A-Za-z0-9-]+\.",
)
KEY.mistake(
    "full_stop_included",
    "The domain was allowed to end with any of its characters: a full stop after the address was "
    "taken for a part of it. With what must an address end?",
    r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}",
    r"[A-Za-z0-9-]+\.[A-Za-z0-9.-]+",
)
KEY.mistake(
    "any_character_for_the_dot",
    "The dot of the domain was not escaped: an unescaped dot stands for any character.",
    r"(?:[A-Za-z0-9-]+\.)+",
    "[A-Za-z0-9.-]+.",
)
KEY.mistake(
    "matched_at_the_start",
    "The pattern was tried at the start of the text only: match and search look in different "
    "places.",
    "re.findall(pattern, text)",
    "[found.group() for found in [re.match(pattern, text)] if found]",
    alone=True,
)
KEY.mistake(
    "each_address_once",
    "Each address was returned only once: one that comes back counts again.",
    "re.findall(pattern, text)",
    "list(dict.fromkeys(re.findall(pattern, text)))",
)
KEY.mistake(
    "whole_words_only",
    "Only words that are an address from end to end were found: what may stand right beside an "
    "address in a sentence?",
    "re.findall(pattern, text)",
    "[word for word in text.split() if re.fullmatch(pattern, word)]",
    alone=True,
)
KEY.mistake(
    "empty_labels",
    "Two dots in a row were taken for a part of a domain: each dot has a label before it.",
    r"(?:[A-Za-z0-9-]+\.)+",
    r"[A-Za-z0-9.-]+\.",
)
KEY.mistake(
    "pattern_of_the_web",
    "This pattern is copied all over the web, and is not the task's: it wants the border of a word "
    "in front, and lets two dots in a row and a bar through.",
    _PATTERN,
    r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Z|a-z]{2,}\b",
)
KEY.mistake(
    "word_characters_in_the_domain",
    "The domain was allowed to hold more than letters, digits and hyphens: which other sign does "
    "the class for word characters have?",
    r"[A-Za-z0-9-]+\.",
    r"[\w-]+\.",
)
