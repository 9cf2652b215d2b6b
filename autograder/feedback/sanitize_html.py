"""Sanitize a student's text and outputs for a page, in bounded time."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, TypeVar

import nh3
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.token import STANDARD_TYPES

import selfcheck


@dataclass(frozen=True)
class Limit:
    """Limits for one kind of source on a page; what exceeds them is shown as plain text.

    Parsers of HTML, Markdown and Python take quadratic time on crafted sources, so both the length
    of each piece and the total have to be limited.

    Args:
        piece: characters of one cell or output.
        page: characters of all of them together.
    """

    piece: int
    page: int


HTML = Limit(50_000, 300_000)
"""For HTML in outputs. The judge's verdicts don't count."""

TAGS = 5_000
"""Maximum number of elements in a piece of HTML, twice as many as in pandas' largest table."""

MARKDOWN = Limit(10_000, 100_000)
"""For Markdown in cells and outputs."""

CODE = Limit(5_000, 60_000)
"""For highlighted code."""

_TEXT = "a abbr b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img"
_TEXT += " ins kbd li ol p pre s small span strong sub summary sup u ul"

_TABLES = "table thead tbody tfoot tr th td"

_TAGS = frozenset(_TEXT.split() + _TABLES.split())

_CELLS = ("table", "tr", "th", "td")

_PICTURE_DATA = r"data:image/(png|jpeg|gif);base64,[a-z0-9+/=\s]*"

_PICTURE_FILE = r"(?!.*\.\.)\w[\w./ -]*\.(png|jpe?g|gif)"

_LONGEST_VALUE = 2_000  # of an attribute, pictures apart: a parser may copy it into many elements

# By attribute: the elements that may have it, and with which values.
_ATTRIBUTES = {
    # A path would lead to the student's own files, which the formgrader serves as they are.
    "href": {"a": r"(https?://|mailto:|#).*"},
    "src": {"img": rf"{_PICTURE_DATA}|{_PICTURE_FILE}"},
    "alt": {"img": r".*"},
    "lang": {"div": r"[a-z]{2,3}"},
    "width": {"img": r"\d{1,4}"},
    "title": {"a": r".*", "abbr": r".*", "img": r".*"},
    "open": {"details": r".*"},
    "style": dict.fromkeys(_CELLS, r".*"),
    "colspan": dict.fromkeys(_CELLS, r"\d{1,3}"),
    "rowspan": dict.fromkeys(_CELLS, r"\d{1,3}"),
}


def _allowed(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute to keep, or None: called for all attributes, including classes and
    the ``rel`` that the cleaner itself adds to links."""
    if name in ("class", "rel"):
        return value
    values = _ATTRIBUTES.get(name, {}).get(tag)
    if values is None or (len(value) > _LONGEST_VALUE and name != "src"):
        return None
    return value if re.fullmatch(values, value, re.DOTALL | re.IGNORECASE) else None


_CLEANER = nh3.Cleaner(
    tags=_TAGS,
    clean_content_tags={"script", "style"},
    attributes={tag: {name for name, tags in _ATTRIBUTES.items() if tag in tags} for tag in _TAGS},
    attribute_filter=_allowed,
    # Any other class could look like the judge's or the page's own; an id could take a score's
    # place in a script.
    allowed_classes={
        "div": {"highlight"},
        "table": {"dataframe"},
        "span": set(filter(None, STANDARD_TYPES.values())),
    },
    filter_style_properties={"padding", "text-align", "vertical-align"},
    url_schemes={"http", "https", "mailto", "data"},
    link_rel="noopener noreferrer nofollow",
)

_UNDESCRIBED = re.compile(r'<img((?: (?!alt=)[a-z]+="[^"]*")*)>')  # as the cleaner writes it

PICTURE = "A picture without a description"

highlight = Highlight2HTML(pygments_lexer="python")

AS_TEXT = "as_text"


class Rendered(str):
    """HTML that is created here from a verdict or text: all filters leave it unchanged."""

    __slots__ = ()


_BETWEEN = r"\s'\"<>:=,()\[\]\x1b"
# From the beginning of a path to its last part that tells what is installed there: from nowhere
# else, so that crafted text takes no longer than other text.
_INSTALLED = re.compile(
    rf"(?<![^{_BETWEEN}])[~/][^{_BETWEEN}]*/(?=(?:site|dist)-packages/|python3[.\d]*/)"
)


def without_places(text: str) -> str:
    """A text without the grader's absolute paths.

    Args:
        text: a text in an output, such as a line of a traceback.

    Example:
        >>> without_places("File /home/ada/.venv/lib/python3.12/site-packages/numpy/linalg.py:7")
        'File site-packages/numpy/linalg.py:7'
    """
    text = _INSTALLED.sub("", text)
    ours = {Path(selfcheck.__file__).parents[1], Path.cwd(), Path.home(), Path(sys.prefix)}
    for folder in sorted(map(str, ours), key=len, reverse=True):
        text = text.replace(f"{folder}/", "") if len(folder) > 1 else text
    return text


def clean_html(html: str) -> str:
    """Keep HTML for text, tables and pictures; the rest becomes text or is removed.

    Example:
        >>> clean_html("<p onclick='x()'>a<script>x()</script><iframe></iframe></p>")
        '<p>a</p>'
    """
    if isinstance(html, Rendered):
        return html
    return _UNDESCRIBED.sub(rf'<img\1 alt="{PICTURE}">', _CLEANER.clean(html))


def highlight_code(source: str, metadata: Mapping[str, Any] | None = None) -> str:
    """Highlight a code cell as Python, whatever language its notebook claims.

    Args:
        source: the cell's source.
        metadata: the cell's metadata, in which ``HarmlessNotebook`` marks what is shown as text.
    """
    if metadata and metadata.get(AS_TEXT):
        return Rendered(f'<div class="highlight">{as_text(source)}</div>')
    return highlight(source)


Renderer = TypeVar("Renderer", bound=IPythonRenderer)


@pass_context
def markdown2html(context: Context, source: str) -> str:
    """Render Markdown, with a cell's own pictures, and clean the HTML that comes out.

    Args:
        context: the template's context; its cell may have attachments.
        source: Markdown with formulas.
    """
    if isinstance(source, Rendered):
        return source
    attachments = context.get("cell", {}).get("attachments", {})
    return render_markdown(source, renderer_of(IPythonRenderer, attachments))


def renderer_of(kind: type[Renderer], attachments: Mapping[str, Any]) -> Renderer:
    """A renderer of Markdown.

    Args:
        kind: its class.
        attachments: a cell's own pictures.
    """
    return kind(escape=False, attachments=dict(attachments), exclude_anchor_links=True)


def render_markdown(source: str, renderer: IPythonRenderer) -> str:
    """Render Markdown, and clean the HTML that comes out."""
    try:
        html = MarkdownWithMath(renderer=renderer).render(source)
    except Exception:  # A page is created even if a parser fails on a hostile answer.
        return as_text(source)
    return clean_html(html)


def strip_files_prefix(html: str) -> str:
    """Leave links unchanged: nbconvert's filter of this name looks for a prefix that notebooks no
    longer have, in time quadratic in the number of brackets."""
    return html


def as_text(source: str) -> Rendered:
    return Rendered(f"<pre>{escape(source)}</pre>")
