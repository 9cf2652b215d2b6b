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
    "You split the text at white space: that keeps the punctuation around an address, and also "
    "words with an @ that aren't addresses.",
    "re.findall(pattern, text)",
    '[word for word in text.split() if "@" in word]',
    alone=True,
)
KEY.mistake(
    "anything_around_the_at",
    "You allowed anything but white space around the @: which characters may an address contain?",
    _PATTERN,
    r"\S+@\S+",
)
KEY.mistake(
    "word_characters_only",
    "You allowed only letters, digits and underscores: dots, plus signs and hyphens cut an "
    "address short.",
    _PATTERN,
    r"\w+@\w+\.\w+",
)
KEY.mistake(
    "dots_and_hyphens_only",
    "Some characters that an address may contain cut it short, and anything with dots passed "
    "as a domain: check in the task what may come before the @, and what an address must end "
    "with.",
    _PATTERN,
    r"[\w.-]+@[\w.-]+",
)
KEY.mistake(
    "only_the_group",
    "You got a group in parentheses instead of the whole match: what does findall return when "
    "a pattern has groups?",
    "(?:",
    "(",
)
KEY.mistake(
    "first_address_only",
    "You returned only the first address: the search must continue after it.",
    "re.findall(pattern, text)",
    "re.findall(pattern, text)[:1]",
)
KEY.mistake(
    "small_letters_only",
    "You left out capital letters: they're letters, too.",
    _PATTERN,
    r"[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}",
)
KEY.mistake(
    "single_label_domain",
    "You expected only one dot after the @: a domain may have several labels.",
    r"(?:[A-Za-z0-9-]+\.)+",
    r"[A-Za-z0-9-]+\.",
)
KEY.mistake(
    "full_stop_included",
    "You let the domain end with any of its characters, so a full stop after the address "
    "became part of it. What must an address end with?",
    r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}",
    r"[A-Za-z0-9-]+\.[A-Za-z0-9.-]+",
)
KEY.mistake(
    "any_character_for_the_dot",
    "You didn't escape the dot in the domain: an unescaped dot matches any character.",
    r"(?:[A-Za-z0-9-]+\.)+",
    "[A-Za-z0-9.-]+.",
)
KEY.mistake(
    "matched_at_the_start",
    "The pattern was tried only at the start of the text: match and search look in different "
    "places.",
    "re.findall(pattern, text)",
    "[found.group() for found in [re.match(pattern, text)] if found]",
    alone=True,
)
KEY.mistake(
    "each_address_once",
    "You returned each address only once: one that appears again counts again.",
    "re.findall(pattern, text)",
    "list(dict.fromkeys(re.findall(pattern, text)))",
)
KEY.mistake(
    "whole_words_only",
    "You found only words that are an address from start to end: what may be right next to an "
    "address in a sentence?",
    "re.findall(pattern, text)",
    "[word for word in text.split() if re.fullmatch(pattern, word)]",
    alone=True,
)
KEY.mistake(
    "empty_labels",
    "You accepted two dots in a row in a domain: there must be a label before each dot.",
    r"(?:[A-Za-z0-9-]+\.)+",
    r"[A-Za-z0-9.-]+\.",
)
KEY.mistake(
    "pattern_of_the_web",
    "This pattern is copied all over the web, but it isn't the one in the task: it requires a "
    "word boundary in front, and lets through two dots in a row and a vertical bar.",
    _PATTERN,
    r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Z|a-z]{2,}\b",
)
KEY.mistake(
    "word_characters_in_the_domain",
    "You allowed more than letters, digits and hyphens in the domain: which other character is "
    "in the class of word characters?",
    r"[A-Za-z0-9-]+\.",
    r"[\w-]+\.",
)
