"""JupyterLab and nbgrader's parts of it, as people use them: by what is written on the screen."""

from __future__ import annotations

import re
from dataclasses import dataclass

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Frame, FrameLocator, Locator, Page, expect


def _whole(text: str) -> re.Pattern[str]:
    return re.compile(rf"^\s*{re.escape(text)}\s*$")


@dataclass(frozen=True)
class JupyterLab:
    """The window."""

    page: Page

    def choose(self, menu: str, item: str) -> None:
        """Choose from the menus at the top."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text=_whole(menu)).click()
        self.page.locator(".lm-Menu-itemLabel", has_text=_whole(item)).click()

    def items(self, menu: str) -> list[str]:
        """What a menu at the top offers."""
        title = self.page.locator(".lm-MenuBar-itemLabel", has_text=_whole(menu))
        title.click()
        labels = self.page.locator(".lm-Menu-item:visible .lm-Menu-itemLabel")
        expect(labels.first).to_be_visible()
        texts = labels.all_inner_texts()
        title.click()
        expect(labels).to_have_count(0)
        return texts

    def show_tab(self, title: str) -> None:
        """Bring a tab of the main area to the front."""
        self.page.locator("#jp-main-dock-panel .lm-TabBar-tabLabel", has_text=_whole(title)).click()

    def open_folder(self, *path: str) -> None:
        """Have the file browser show a folder, from the top."""
        self.page.locator(".jp-BreadCrumbs-home").click()
        for folder in path:
            self.open_file(folder)

    def open_file(self, name: str) -> None:
        """Open what the file browser shows."""
        self.page.locator(".jp-DirListing-itemText", has_text=_whole(name)).dblclick()


@dataclass(frozen=True)
class Notebook:
    """The notebook in front."""

    page: Page

    def code(self, source: str) -> Locator:
        """The code cell that has this in its source."""
        editor = self.page.locator(".cm-content", has_text=source)
        return self.page.locator(".jp-Notebook:visible .jp-CodeCell").filter(has=editor)

    def wait_for_kernel(self) -> None:
        """Wait until there is a kernel and it has nothing to do."""
        expect(self.page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()

    def replace_line(self, cell: Locator, old: str, new: str) -> None:
        """Click on a line of a cell and type another one in its place."""
        cell.locator(".cm-line", has_text=old).click()
        self.page.keyboard.press("End")
        self.page.keyboard.press("Shift+Home")
        self.page.keyboard.type(new)
        expect(cell.locator(".cm-line", has_text=new)).to_be_visible()

    def run_here_and_below(self) -> None:
        """Run the cell that has the cursor, and the one below it."""
        self.page.keyboard.press("Shift+Enter")
        self.page.keyboard.press("Shift+Enter")

    def write(self, answer: str) -> None:
        """Write an answer of words at the first place that asks for one."""
        cells = self.page.locator(".jp-Notebook:visible .jp-MarkdownCell")
        cell = cells.filter(has_text="YOUR ANSWER HERE").first
        cell.locator(".jp-RenderedMarkdown").dblclick()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(answer)
        self.page.keyboard.press("Shift+Enter")
        expect(cells.filter(has_text=answer)).to_be_visible()

    def validate(self) -> Locator:
        """Press Validate.

        Returns:
            The dialog that says what came out.
        """
        self.page.locator("jp-button.validate-button:visible").click()
        dialog = self.page.locator(".jp-Dialog", has_text="Validation Results")
        expect(dialog).to_be_visible()
        return dialog

    def dismiss(self, dialog: Locator) -> None:
        """Press OK."""
        dialog.get_by_role("button", name="OK").click()
        expect(dialog).to_have_count(0)


@dataclass(frozen=True)
class AssignmentList:
    """nbgrader's list of what there is to fetch, to work on and to submit."""

    page: Page

    def rows(self, kind: str) -> Locator:
        """The assignments that are ``released``, ``fetched`` or ``submitted``."""
        return self.page.locator(f"#{kind}_assignments_list > .list_item")

    def press(self, kind: str, button: str) -> None:
        """Press the button of the only assignment of a kind."""
        self.rows(kind).get_by_role("button", name=button, exact=True).click()

    def open_notebook(self, lesson: str) -> None:
        """Unfold an assignment that was fetched, and open its notebook."""
        self.rows("fetched").locator(".assignment-notebooks-link").click()
        self.rows("fetched").locator(".assignment-notebooks a", has_text=lesson).click()


@dataclass(frozen=True)
class Formgrader:
    """The instructor's pages, which JupyterLab shows in a frame."""

    page: Page

    @property
    def frame(self) -> FrameLocator | Page:
        """What is in the frame."""
        return self.page.frame_locator("#formgrader-iframe iframe")

    def document(self) -> Frame:
        """The frame's document, for what a locator cannot do."""
        # It has its address once it shows something.
        expect(self.frame.locator("a").first).to_be_attached()
        return next(frame for frame in self.page.frames if "/formgrader/" in frame.url)

    def go(self, *links: str) -> None:
        """Follow links by their texts, one after the other."""
        for link in links:
            document = self.document()
            before = document.url
            self.frame.get_by_role("link", name=link, exact=True).first.click()
            document.wait_for_url(lambda url, before=before: url != before)

    def row(self, text: str) -> Locator:
        """The row of a table that says this."""
        return self.frame.locator("#main-table tr", has_text=text)

    def press(self, text: str, column: str) -> str:
        """Press the button in a column of a row, and OK when it is done.

        Returns:
            What the dialog says.
        """
        self.row(text).locator(f"td.{column} a").click()
        dialog = self.frame.locator(".modal-dialog")
        expect(dialog).to_be_visible()
        said = dialog.inner_text()
        dialog.get_by_role("button", name="OK").click()
        expect(dialog).to_have_count(0)
        return said

    def grade(self, cell: str, points: str, comment: str) -> None:
        """Give points and a comment for an answer."""
        # Until its scripts have bound the fields, the page does not save what they hold.
        expect(self.frame.locator(f"#{cell}")).to_have_class(re.compile("needs_manual_grade"))
        written = self.frame.locator(f"#{cell}-comment")
        expect(written).to_have_attribute("placeholder", re.compile("."))
        for field, text in ((f"#{cell}", points), (f"#{cell}-comment", comment)):
            self.frame.locator(field).fill(text)
            with self.page.expect_response(lambda answer: answer.request.method == "PUT") as saved:
                self.frame.locator(field).press("Tab")
            assert saved.value.ok


@dataclass(frozen=True)
class FormgraderPage(Formgrader):
    """The same pages in a window of their own, as on a hub."""

    @property
    def frame(self) -> Page:
        """What is in the window."""
        return self.page

    def document(self) -> Frame:
        """The window's document."""
        return self.page.main_frame


def barriers(page: Page | Frame, within: str) -> list[str]:
    """What keeps people out of a part of a page, by axe's serious and critical rules.

    Args:
        page: or a frame of one.
        within: a selector of the parts to look at.
    """
    found = Axe().run(page, context=within).response["violations"]
    return [
        f"{rule['id']}: {node['html']}\n{node['failureSummary']}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
