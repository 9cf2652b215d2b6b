"""What solutions about conv1d share."""

from __future__ import annotations

import re
import string

# The default settings of tf.strings.lower change the letters from A to Z alone.
LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def standardized(text: str) -> str:
    """Lower case from A to Z; a space for each ``<br />``; no punctuation.

    Example:
        >>> standardized("It's OK!<br />Well-made.")
        'its ok wellmade'
    """
    text = text.translate(LOWER).replace("<br />", " ")
    return re.sub(f"[{re.escape(string.punctuation)}]", "", text)
