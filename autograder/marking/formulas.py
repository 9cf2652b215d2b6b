"""Formulas as MathML, which browsers draw themselves: no script, and nothing from elsewhere."""

from __future__ import annotations

import re
import secrets
from html import escape
from typing import Any
from xml.etree import ElementTree

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer

_LONGEST = 1_000
"""Characters of a formula; a longer one is shown as it's written."""

_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"

# What formulas are made of. Links, styles and HTML, which a formula can also ask for, are not.
_NAMES = "math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub"
_NAMES += " msubsup msup mtable mtd mtext mtr munder munderover"
_ELEMENTS = frozenset(_NAMES.split())
_ATTRIBUTES = frozenset({"accent", "display", "linethickness", "mathvariant", "stretchy", "width"})
_VALUE_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-")

_TAG = re.compile(r"""(<(?:"[^"]*"|[^>"])*>)""")
"""A tag, as the cleaner writes it: no formula may stand in an attribute."""

_MARK = re.compile(r"[0-9a-f]{32}")


class FormulaRenderer(IPythonRenderer):
    """Renders Markdown, with a mark in the place of each formula.

    The HTML is cleaned first, by rules that know no MathML. Nobody who writes an answer can know
    the marks.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._formulas: dict[str, str] = {}

    def inline_math(self, body: str) -> str:
        """A formula in a line."""
        return self._mark(body, "inline", f"${body}$")

    def block_math(self, body: str) -> str:
        """A formula of its own."""
        return self._mark(body, "block", f"$${body}$$")

    def latex_environment(self, name: str, body: str) -> str:
        """A formula in an environment, such as ``align``."""
        source = rf"\begin{{{name}}}{body}\end{{{name}}}"
        return self._mark(source, "block", source)

    def with_formulas(self, html: str) -> str:
        """Put the formulas in their places.

        Args:
            html: rendered, and cleaned.
        """
        parts = _TAG.split(html)
        parts[::2] = (_MARK.sub(self._formula, text) for text in parts[::2])
        return "".join(parts)

    def _formula(self, mark: re.Match[str]) -> str:
        return self._formulas.get(mark[0], mark[0])

    def _mark(self, latex: str, display: str, as_written: str) -> str:
        mark = secrets.token_hex(16)
        self._formulas[mark] = as_mathml(latex, display) or f"<code>{escape(as_written)}</code>"
        return mark


def as_mathml(latex: str, display: str = "inline") -> str:
    """A formula as MathML; "" if it can't be read, or asks for more than a formula.

    Args:
        latex: the formula.
        display: "inline", or "block" for one of its own.

    Example:
        >>> as_mathml("d_k")
        '<math display="inline"><mrow><msub><mi>d</mi><mi>k</mi></msub></mrow></math>'
        >>> as_mathml(r"\\href{javascript:x()}{d}")
        '<math display="inline"><mrow><mrow><mrow><mi>d</mi></mrow></mrow></mrow></math>'
    """
    if len(latex) > _LONGEST:
        return ""
    try:
        return _plain(ElementTree.fromstring(convert(latex, display=display)))
    except Exception:  # of many kinds, for what isn't a formula; or nested too deeply
        return ""


def _plain(element: ElementTree.Element) -> str:
    """An element with nothing but known ones in it.

    Raises:
        ValueError: when there is another one in it.
    """
    name = element.tag.removeprefix(_NAMESPACE)
    if name not in _ELEMENTS:
        raise ValueError(f"no part of a formula: {name}")
    attributes = "".join(
        f' {key}="{value}"'
        for key, value in element.items()
        if key in _ATTRIBUTES and _VALUE_CHARACTERS.issuperset(value)
    )
    inside = escape(element.text or "") + "".join(map(_plain, element))
    return f"<{name}{attributes}>{inside}</{name}>"
