"""Slips in the pattern of an address, by name: which characters it allows, its last label, what it
asks for around it. Each is a hint, and edits of the solution. Not looked for in pairs."""

from __future__ import annotations

_BEFORE = "[A-Za-z0-9._%+-]"
_LABELS = r"(?:[A-Za-z0-9-]+\.)+"
_ENDING = "[A-Za-z]{2,}"
_PATTERN = rf"{_BEFORE}+@{_LABELS}{_ENDING}"

_LEFT_OUT = (
    "You left out some of the characters that may come before the @: compare your pattern with the "
    "list in the task."
)
_RANGE = (
    "Between two characters in brackets, a hyphen means all characters from one to the other: "
    "where in the brackets does it stand for itself?"
)
_BARS = (
    "You put a bar between the ranges: inside brackets it doesn't mean or, but stands for itself."
)
_COMMAS = "You put commas between what is in brackets: there, a comma stands for itself."
_CAPITAL_TO_SMALL = (
    "The range from capital A to small z also contains what is between capital and small letters, "
    "such as [ and _: write two ranges."
)
_OTHER_DIGITS = r"You used \d: it also matches digits of other scripts, which aren't 0 to 9."

CHARACTERS = {
    "no_dot_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9_%+-]"),
    "no_underscore_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9.%+-]"),
    "no_percent_sign_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9._+-]"),
    "no_plus_sign_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9._%-]"),
    "no_plus_and_percent_sign_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9._-]"),
    "no_hyphen_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z0-9._%+]"),
    "no_digits_before_the_at": (_LEFT_OUT, _BEFORE, "[A-Za-z._%+-]"),
    "range_from_percent_to_plus": (_RANGE, _BEFORE, "[A-Za-z0-9._%-+]"),
    "range_from_dot_to_underscore": (_RANGE, _BEFORE, "[A-Za-z0-9.-_%+]"),
    # Commas between the signs add the same character.
    "range_from_plus_to_dot": (
        "You allowed a comma before the @: inside brackets it stands for itself, and a hyphen "
        "means all characters from one to the other.",
        _BEFORE,
        "[A-Za-z0-9_%+-.]",
    ),
    "commas_everywhere": (
        _COMMAS,
        _PATTERN,
        r"[A-Z,a-z0-9._%+-]+@(?:[A-Z,a-z0-9-]+\.)+[A-Z,a-z]{2,}",
    ),
    "commas_on_both_sides": (
        _COMMAS,
        _PATTERN,
        r"[A-Z,a-z0-9._%+-]+@(?:[A-Z,a-z0-9-]+\.)+[A-Za-z]{2,}",
    ),
    "bars_everywhere": (_BARS, _PATTERN, r"[A-Z|a-z0-9._%+-]+@(?:[A-Z|a-z0-9-]+\.)+[A-Z|a-z]{2,}"),
    "more_signs_before_the_at": (
        "You allowed more signs before the @ than the task lists.",
        _BEFORE,
        "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]",
    ),
    "range_from_plus_to_underscore": (_RANGE, _BEFORE, "[A-Za-z0-9.%+-_]"),
    "range_from_percent_to_underscore": (_RANGE, _BEFORE, "[A-Za-z0-9.+%-_]"),
    "range_from_percent_to_dot": (_RANGE, _BEFORE, "[A-Za-z0-9_+%-.]"),
    "range_from_capital_to_small": (
        _CAPITAL_TO_SMALL,
        _PATTERN,
        r"[A-z0-9._%+-]+@(?:[A-z0-9-]+\.)+[A-z]{2,}",
    ),
    "range_from_capital_to_small_before_the_at": (_CAPITAL_TO_SMALL, _BEFORE, "[A-z0-9._%+-]"),
    "range_from_capital_to_small_at_the_end": (_CAPITAL_TO_SMALL, _ENDING, "[A-z]{2,}"),
    "other_digits": (
        _OTHER_DIGITS,
        _PATTERN,
        r"[A-Za-z\d._%+-]+@(?:[A-Za-z\d-]+\.)+[A-Za-z]{2,}",
    ),
    "other_digits_before_the_at": (_OTHER_DIGITS, _BEFORE, r"[A-Za-z\d._%+-]"),
    "other_digits_in_the_domain": (_OTHER_DIGITS, r"[A-Za-z0-9-]+\.", r"[A-Za-z\d-]+\."),
    "letter_or_digit_first": (
        "You asked for a letter or a digit at the start of an address: the other signs may come "
        "first, too.",
        f"{_BEFORE}+",
        "[A-Za-z0-9][A-Za-z0-9._%+-]*",
    ),
    "letter_or_digit_before_the_at": (
        "You asked for a letter or a digit right before the @: the other signs may come last, too.",
        f"{_BEFORE}+",
        "[A-Za-z0-9._%+-]*[A-Za-z0-9]",
    ),
    "two_dots_refused_before_the_at": (
        "You refused two dots in a row before the @: only the labels after it need a character "
        "before each dot.",
        f"{_BEFORE}+",
        r"[A-Za-z0-9_%+-]+(?:\.[A-Za-z0-9_%+-]+)*",
    ),
    "underscore_in_the_domain": (
        "You allowed an underscore after the @: a label consists of letters, digits and hyphens.",
        r"[A-Za-z0-9-]+\.",
        r"[A-Za-z0-9_-]+\.",
    ),
    "signs_in_the_domain": (
        "You allowed the same signs after the @ as before it: a label consists of letters, digits "
        "and hyphens.",
        r"[A-Za-z0-9-]+\.",
        r"[A-Za-z0-9_%+-]+\.",
    ),
    "hyphens_inside_labels_only": (
        "You refused labels that begin or end with a hyphen: a label may be any row of letters, "
        "digits and hyphens.",
        r"[A-Za-z0-9-]+\.",
        r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.",
    ),
}

_CUT = (
    "You limited the length of the last label: it has at least two letters, and there is no "
    "longest one."
)

ENDINGS = {
    "ending_cut_to_six": (_CUT, "{2,}", "{2,6}"),
    "ending_cut_to_five": (_CUT, "{2,}", "{2,5}"),
    "ending_cut_to_four": (_CUT, "{2,}", "{2,4}"),
    "ending_cut_to_three": (_CUT, "{2,}", "{2,3}"),
    "ending_of_two_letters": (_CUT, "{2,}", "{2}"),
    "ending_of_three_or_more_letters": (
        "You asked for at least three letters in the last label: two are enough.",
        "{2,}",
        "{3,}",
    ),
    "ending_of_one_letter": (
        "You accepted a last label of one letter: how many must it have?",
        "{2,}",
        "+",
    ),
    "bar_in_the_ending": (
        "You put a bar between the ranges of the last label: inside brackets it doesn't mean "
        "or, but stands for itself.",
        _ENDING,
        "[A-Z|a-z]{2,}",
    ),
    "ending_with_digits": (
        "You allowed digits in the last label: it consists of letters only.",
        _ENDING,
        "[A-Za-z0-9]{2,}",
    ),
    "ending_of_word_characters": (
        "You allowed any word character in the last label: that includes digits, the underscore "
        "and letters such as é.",
        _ENDING,
        r"\w{2,}",
    ),
    "ending_like_a_label": (
        "You allowed the same characters in the last label as in the ones before it: it has to "
        "consist of at least two letters.",
        _ENDING,
        "[A-Za-z0-9-]+",
    ),
}

LENGTHS = {
    "nothing_before_the_at": (
        "You found addresses with nothing before the @: how often must a character come there?",
        f"{_BEFORE}+",
        f"{_BEFORE}*",
    ),
    "no_dot_after_the_at": (
        "You found addresses without a dot after the @: how many labels must come before the last?",
        r"\.)+",
        r"\.)*",
    ),
    "number_of_labels_limited": (
        "You limited the number of labels: an address may have any number of them.",
        r"[A-Za-z0-9-]+\.)+",
        r"[A-Za-z0-9-]+\.){1,3}",
    ),
    "only_letters_after_the_first_label": (
        "You allowed only letters in the labels after the first: each may have digits and hyphens.",
        rf"{_LABELS}{_ENDING}",
        r"[A-Za-z0-9-]+(?:\.[A-Za-z]{2,})+",
    ),
    "at_most_64_before_the_at": (
        "You limited the length of the part before the @: it may be of any length.",
        f"{_BEFORE}+",
        f"{_BEFORE}{{1,64}}",
    ),
    "length_of_labels_limited": (
        "You limited the length of a label: it may be of any length.",
        r"[A-Za-z0-9-]+\.",
        r"[A-Za-z0-9-]{1,63}\.",
    ),
    "ending_cut_to_63": (_CUT, "{2,}", "{2,63}"),
}

WHERE = {
    "boundary_in_front": (
        "You asked for a word boundary in front of an address: there is none before a sign such as "
        "+, and none between é and a letter.",
        _PATTERN,
        rf"\b{_PATTERN}",
    ),
    "boundary_behind": (
        "You asked for a word boundary behind an address: there is none between its last letter "
        "and a digit, an underscore or a letter such as é.",
        _PATTERN,
        rf"{_PATTERN}\b",
    ),
    "boundaries_on_both_sides": (
        "You asked for a word boundary on both sides of an address: there is none between a letter "
        "and a digit, an underscore or é, and none between a space and a sign such as +.",
        _PATTERN,
        rf"\b{_PATTERN}\b",
    ),
    "white_space_in_front": (
        "You asked for white space in front of an address: there may be any other character.",
        _PATTERN,
        rf"(?<!\S){_PATTERN}",
    ),
    "whole_text_only": (
        "You found an address only where it is the whole text: what do ^ and $ stand for?",
        _PATTERN,
        rf"^{_PATTERN}$",
    ),
}
