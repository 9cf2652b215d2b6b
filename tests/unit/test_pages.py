"""Every block of commands or configuration on a page is executed by a test, or says why not.

A module of tests that executes blocks takes them from the page and keeps them in ``BLOCKS``.
"""

import ast
import importlib.util
import re

import pytest

from tests.docs import test_add_an_exercise, test_guide
from tests.installs import test_another_course, test_start
from tests.kernels import test_plain_courses, test_sandbox_options
from tests.servers import test_cluster, test_hub, test_postgresql, test_slurm
from tests.support.pages import blocks, page_paths
from tests.unit.autograder import test_rubrics
from tests.unit.autograder.judging import test_marking
from tests.unit.autograder.lti import test_lti
from tests.unit.autograder.marking import test_lesson

EXECUTED = [
    block
    for module in (
        test_add_an_exercise,
        test_another_course,
        test_cluster,
        test_guide,
        test_hub,
        test_lesson,
        test_lti,
        test_marking,
        test_plain_courses,
        test_postgresql,
        test_rubrics,
        test_sandbox_options,
        test_slurm,
        test_start,
    )
    for block in module.BLOCKS
]
NOT_CODE = ("text", "markdown", "po")
GENERATED = "{"
"""Directives of the site, whose code the site executes when it is built."""


@pytest.mark.parametrize("page", [path.name for path in page_paths()])
def test_every_block_is_executed_or_says_why_not(page):
    for block in blocks(page):
        where = f"{page}, under {block.heading!r}:\n{block.text}"
        assert block.language, (
            f"A block without a language: {where}Begin it with ```sh, ```python or, if it's "
            "neither typed nor configured, ```text."
        )
        if block.language in NOT_CODE or block.language.startswith(GENERATED):
            continue
        assert block in EXECUTED or block.reason, (
            f"A block that no test executes: {where}Add its page to PAGES in "
            "tests/docs/test_guide.py, which types the blocks of sh in a course folder, or execute "
            "it in another test that keeps it in BLOCKS. If no machine of ours can run it, say why "
            "in a line above it: <!-- not run: needs a Kubernetes cluster -->"
        )
        assert not (block in EXECUTED and block.reason), f"This is executed after all: {where}"


@pytest.mark.parametrize("page", [path.name for path in page_paths()])
def test_what_the_sites_cells_import_is_there(page):
    """Their code runs when the site is built, which takes minutes."""
    cells = (block.text for block in blocks(page) if block.language.startswith("{code-cell}"))
    imports = [
        (node.module, name.name)
        for text in cells
        for node in ast.walk(ast.parse(re.sub(r"\A---\n.*?^---\n", "", text, flags=re.M | re.S)))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    ]
    for module, name in imports:
        imported = importlib.import_module(module)
        assert hasattr(imported, name) or importlib.util.find_spec(f"{module}.{name}"), (
            module,
            name,
        )
