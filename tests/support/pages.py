"""Blocks of commands and code in the pages that people read: README.md and docs/*.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import REPOSITORY

_BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^>]+?) -->\n\n?)?```(?P<language>[^\n]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """What stands between two lines of backquotes.

    Args:
        page: the page's name, such as ``guide.md``.
        heading: the nearest heading above it.
        lead: the paragraph above it, on one line.
        language: as the first line names it.
        text: the lines between.
        reason: why no test executes it, where the page says so.
    """

    page: str
    heading: str
    lead: str
    language: str
    text: str
    reason: str | None


def page_paths() -> list[Path]:
    """All pages whose blocks people type or copy."""
    return [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page, in order.

    Args:
        page: ``README.md``, or the name of a page in ``docs/``.
    """
    path = next(path for path in page_paths() if path.name == page)
    text = path.read_text("utf8")
    end = 0
    for found in _BLOCK.finditer(text):
        headings = _HEADING.findall(_BLOCK.sub("", text[: found.start()]))
        before = [part for part in text[end : found.start()].split("\n\n") if part.strip()]
        yield Block(
            page,
            headings[-1] if headings else "",
            " ".join(before[-1].split()) if before else "",
            found["language"],
            found["text"],
            found["reason"],
        )
        end = found.end()


def block(page: str, heading: str, language: str, containing: str = "") -> Block:
    """The one block of a page below a heading, in a language, with a text in it."""
    found = [
        block
        for block in blocks(page)
        if (block.heading, block.language) == (heading, language) and containing in block.text
    ]
    assert len(found) == 1, f"{page}, {heading}: {len(found)} {language} blocks"
    return found[0]
