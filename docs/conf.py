"""How the site is built: ``make site`` makes dist/site of this folder, without any network."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(Path(__file__).parent / "extensions"))

# A quick build unless a long one is asked for. Everything that pages import is quiet.
os.environ.setdefault("COURSE_BUDGET", "smoke")
os.environ |= {
    "COURSE_LANGUAGE": "en",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
}


project = "Text classification with attention"
author = "The authors of the attention course"
project_copyright = f"2026, {author}"
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "command_help",
]
exclude_patterns = ["extensions"]
myst_enable_extensions = ["colon_fence", "dollarmath", "html_image"]
myst_heading_anchors = 3

nb_custom_formats = {
    ".lesson": ["lesson_pages.read", {"cache": str(ROOT / "dist" / "executed-lessons")}]
}
nb_execution_mode = "force"
nb_execution_timeout = 600  # seconds: one page judges thousands of answers
nb_execution_raise_on_error = True
nb_ipywidgets_js = {}
nb_render_markdown_format = "myst"  # so that formulas in outputs are drawn as in the text

autodoc_mock_imports = ["keras", "tensorflow", "tensorflow_datasets"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_custom_sections = [("Call arguments", "params_style"), "Reference"]
nitpicky = True
# A type variable, and what the parts of the grading give each other.
nitpick_ignore = [
    ("py:class", "course.runtime.budget.Size"),
    ("py:class", "autograder.execution.job.Plan"),
    ("py:class", "autograder.sanitize.source.LessonSource"),
]
# Without a network nobody knows the addresses of other projects' pages.
nitpick_ignore_regex = [(r"py:.*", r"(?!(course|keys|selfcheck|autograder)\b).*")]

html_theme = "sphinx_book_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["course.css"]
html_copy_source = False
html_domain_indices = False
html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_persistent": [],  # the search is in the sidebar
    "use_download_button": False,
    "use_fullscreen_button": False,
    "show_toc_level": 2,
}

# Addresses on the instructor's own machine.
linkcheck_ignore = [r"https?://(localhost|127\.0\.0\.1)[:/]"]


def setup(app: Sphinx) -> None:
    """Have links to ``benchmarks/``, which work in the repository, lead to pages of the site."""

    def benchmark(link: re.Match[str]) -> str:
        return f"](results-{link[1].replace('_', '-')}.md)"

    def turn(app: Sphinx, page: str, source: list[str]) -> None:
        source[0] = re.sub(r"\]\(\.\./benchmarks/(\w+)\.md\)", benchmark, source[0])

    app.connect("source-read", turn)
