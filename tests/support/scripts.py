"""A notebook with scripts wherever a student can put text."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from autograder.cells import is_manually_graded

STUDENT = "mallory"


def ran(name):
    """A script that leaves its name on the page it runs in."""
    page = "top.document"
    return f"{page}.documentElement.dataset.{name}='ran';{page}.title='forged';undefined"


IMITATION = (
    "<div class='course-judged' style='border: 2px solid #23527c; position: fixed; top: 0'>"
    "<div class='course-verdict' id='test_stem' style='margin-top: -900px'>"
    "<p><b>preprocessing.stem</b> &mdash; 1 of 1 points</p></div></div>"
    "<p class='course-total'>20 of 20 points</p><ul class='course-scores'><li>stem</li></ul>"
)

MARKDOWN = {
    "imitation": IMITATION,
    "mdscript": f"<script>{ran('mdscript')}</script>",
    "mdimage": f'An answer <img src="missing.png" onerror="{ran("mdimage")}">',
    "mdlink": f"[see here](javascript:{ran('mdlink')})",
    "mdsvg": f'<svg onload="{ran("mdsvg")}"></svg>',
    "mdframe": f'<iframe srcdoc="<script>{ran("mdframe")}</script>"></iframe>',
    "mddetails": f'<details open ontoggle="{ran("mddetails")}"><summary>more</summary></details>',
    "mdcomment": f"<!--><script>{ran('mdcomment')}</script>-->",
    "mdcode": f"```html\n<script>{ran('mdcode')}</script>\n```",
}

OUTPUTS = {
    "imitation": {"text/html": IMITATION},
    "script": {"text/html": f"<script>{ran('script')}</script>"},
    "image": {"text/html": f'<img src="missing.png" onerror="{ran("image")}">'},
    "link": {"text/html": f'<a href="javascript:{ran("link")}">here</a>'},
    "datalink": {"text/html": f'<a href="data:text/html,<script>{ran("datalink")}</script>">a</a>'},
    "frame": {"text/html": f'<iframe srcdoc="<script>{ran("frame")}</script>"></iframe>'},
    "markdown": {"text/markdown": f"<script>{ran('markdown')}</script>"},
    "javascript": {"application/javascript": "function $() {} " + ran("javascript")},
    "svg": {"image/svg+xml": f"<svg xmlns='http://www.w3.org/2000/svg' onload='{ran('svg')}'/>"},
    "latex": {"text/latex": f"</div><script>{ran('latex')}</script>"},
    "png": {"image/png": f'"><script>{ran("png")}</script>'},
    "plain": {"text/plain": f"</pre><script>{ran('plain')}</script>"},
    "style": {"text/html": "<style>body {display: none}</style><p class='modal'>over all</p>"},
}

TEXTS = f"""
import sys
print("\\x1b[31m</pre><script>{ran("stdout")}</script>\\x1b[0m")
print("</pre><script>{ran("stderr")}</script>", file=sys.stderr)
Error = type("<script>{ran("ename")}</script>", (Exception,), {{}})
raise Error("<script>{ran("evalue")}</script>")
"""


def make_hostile(notebook):
    """Put scripts wherever a student can put text."""
    written = [cell for cell in notebook.cells if is_manually_graded(cell)]
    written[0].source = "\n\n".join(MARKDOWN.values())
    notebook.cells += [new_markdown_cell(text) for text in MARKDOWN.values()]
    notebook.cells.append(new_raw_cell(f"<script>{ran('raw')}</script>"))
    show = "from IPython.display import display\n" + "\n".join(
        f"display({data!r}, raw=True)" for data in OUTPUTS.values()
    )
    notebook.cells += [new_code_cell(show), new_code_cell(TEXTS)]
    notebook.cells.append(new_code_cell(f"# </pre><script>{ran('source')}</script>"))
    notebook.metadata["title"] = f"</title><script>{ran('title')}</script>"
