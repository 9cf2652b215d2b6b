"""Slips in cutting a text without punctuation into tokens, by name. Each is a hint, and what cuts
it instead. Not looked for in pairs."""

from __future__ import annotations

CUTS = {
    "split_at_spaces_only": (
        "You split only at spaces: tabs and line ends are white space, too.",
        '[token for token in bare.split(" ") if token]',
    ),
    "split_at_spaces_and_line_ends": (
        "You split only at spaces and line ends: tabs and carriage returns are white space, too.",
        '[token for token in bare.replace("\\n", " ").split(" ") if token]',
    ),
    "split_at_spaces_tabs_and_line_ends": (
        "You split at some kinds of white space and left others, such as the carriage return: "
        "split knows them all.",
        '[token for token in re.split(r"[ \\t\\n]", bare) if token]',
    ),
    "empty_tokens_at_the_ends": (
        "You split the text by a pattern, which leaves an empty token before white space at the "
        "start and after white space at the end: drop empty tokens.",
        're.split(r"\\s+", bare)',
    ),
    "empty_token_of_nothing": (
        "Of a text without words, a split by a pattern leaves one empty token: drop empty tokens.",
        're.split(r"\\s+", bare.strip())',
    ),
    "split_at_each_white_space": (
        "You split the text at each single space, tab or line end: count several in a row as "
        "one, and drop empty tokens.",
        're.split(r"\\s", bare)',
    ),
}
