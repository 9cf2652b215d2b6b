"""The directive ``command-help``: what ``--help`` says of a command and of its subcommands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from typer.main import get_command

from autograder.cli import app as commands

_WIDTH = 80
"""Characters of a line."""


class CommandHelp(SphinxDirective):
    """A section for each subcommand of ``autograder``, and before them the command's own help."""

    def run(self) -> list[nodes.Node]:
        own, *others = help_texts("autograder")
        return [_block(own[1]), *(_section(name, text) for name, text in others)]


def help_texts(name: str) -> Iterator[tuple[str, str]]:
    """The command and its subcommands, each with what it says of itself, as plain text."""
    return _texts(get_command(commands), name)


def _texts(command: Any, name: str, parent: Any = None) -> Iterator[tuple[str, str]]:
    context = _context(command, name.rpartition(" ")[2], parent)
    yield name, _text(command, context)
    for subcommand in getattr(command, "commands", ()):
        yield from _texts(command.commands[subcommand], f"{name} {subcommand}", context)


def _context(command: Any, name: str, parent: Any = None) -> Any:
    return command.context_class(command, parent, name, max_content_width=_WIDTH)


def _text(command: Any, context: Any) -> str:
    context.terminal_width = _WIDTH
    command.rich_markup_mode = None  # frames of lines say nothing to those who hear the page
    return command.get_help(context)


def _section(name: str, text: str) -> nodes.section:
    return nodes.section(
        "", nodes.title(name, name), _block(text), ids=[nodes.make_id(name)], names=[name]
    )


def _block(text: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language="text")


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}
