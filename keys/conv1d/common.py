"""What solutions about conv1d share."""

from __future__ import annotations

import re
import string


def standardized(text: str) -> str:
    """Lower case; a space for each ``<br />``; no punctuation.

    Example:
        >>> standardized("It's OK!<br />Well-made.")
        'its ok wellmade'
    """
    text = text.lower().replace("<br />", " ")
    return re.sub(f"[{re.escape(string.punctuation)}]", "", text)
