"""A client for a platform's services as specified by 1EdTech: Names and Role Provisioning Services
2.0 and Assignment and Grade Services 2.0."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit

import requests

from autograder.errors import CourseError
from autograder.lti.registration import Registration, encrypted
from selfcheck.responses import printable

_TIMEOUT = (15, 60)
"""Timeout in seconds for a connection, and between two parts of an answer."""

_WAITS = (1, 5, 20)
"""Seconds before retrying if a platform is busy and doesn't say how long to wait."""

_LONGEST_WAIT = 60
_BUSY = (429, 503)

_TOKEN_LIFE = 3600
"""Seconds for which a token is valid if the platform doesn't say."""

_MARGIN = 60
"""Seconds for which a token must still be valid when it's used."""

_MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
_LINE_ITEM = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
_SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"

_CONTAINER = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
_LINE_ITEM_TYPE = "application/vnd.ims.lis.v2.lineitem+json"
_LINE_ITEMS_TYPE = "application/vnd.ims.lis.v2.lineitemcontainer+json"
_SCORE_TYPE = "application/vnd.ims.lis.v1.score+json"

_REFUSED = "If it was a grade, is the student still in the course? autograder lti roster"
_HINTS = {
    400: _REFUSED,
    422: _REFUSED,
    401: "Is the tool still registered, and its service allowed?",
    403: "The administrator has to allow the tool this service, also in this course.",
    404: "It doesn't exist, or no longer: compare the URLs in c.LTI with docs/lti.md.",
    409: "The platform has a later grade: somebody changed it there.",
    429: "Wait a few minutes and run the command again to resume.",
}

_NO_TOKEN = (
    " Is the public key from `autograder lti keys` registered? Are c.LTI.client_id and "
    "c.LTI.token_url correct, is the service allowed, and is this machine's clock right?"
)


class RequestRefused(CourseError):
    """A platform refused a request.

    Args:
        message: the request, the answer, and what to do.
        status: the HTTP status.
        of_everything: whether all other requests would also fail.
    """

    def __init__(self, message: str, status: int, of_everything: bool) -> None:
        super().__init__(message)
        self.status, self.of_everything = status, of_everything


@dataclass(frozen=True)
class Column:
    """A column of grades on the platform.

    Args:
        url: its URL, which identifies it.
        content: the platform's data on it.
    """

    url: str
    content: dict[str, Any]

    @property
    def maximum(self) -> float:
        """Its maximum points, or 0 if unknown."""
        maximum = self.content.get("scoreMaximum")
        return maximum if isinstance(maximum, int | float) else 0.0


class Services:
    """A platform's services for a registered tool.

    Args:
        registration: the tool's registration.
    """

    def __init__(self, registration: Registration) -> None:
        self._registration = registration
        self._session = requests.Session()
        self._tokens: dict[str, tuple[str, float]] = {}

    def members(self) -> Iterator[dict[str, Any]]:
        """All members of the course from the platform, page by page.

        Raises:
            CourseError: when the platform can't be reached or refuses.
        """
        url = self._registration.address("members_url")
        for page in self._pages(url, _MEMBERS, _CONTAINER):
            people = page.get("members") if isinstance(page, dict) else None
            yield from _objects(people, url, "members")

    def find_column(self, lesson: str) -> Column | None:
        """The lesson's column, if there is one.

        Raises:
            CourseError: when the platform cannot be reached or refuses.
        """
        url = self._registration.address("line_items_url")
        for page in self._pages(url, _LINE_ITEM, _LINE_ITEMS_TYPE):
            for content in _objects(page, url, "line items"):
                if content.get("resourceId") == lesson:
                    return _column(content, url)
        return None

    def create_column(self, lesson: str, maximum: float) -> Column:
        """Create a column for a lesson.

        Raises:
            CourseError: when the platform cannot be reached or refuses.
        """
        url = self._registration.address("line_items_url")
        content = {"label": lesson, "resourceId": lesson, "scoreMaximum": maximum}
        return self._put(Column(url, content), "POST")

    def set_maximum(self, column: Column, maximum: float) -> Column:
        """Change the maximum points of a column.

        Raises:
            CourseError: when the platform cannot be reached or refuses.
        """
        return self._put(Column(column.url, column.content | {"scoreMaximum": maximum}), "PUT")

    def _put(self, column: Column, method: str) -> Column:
        kind = {"Content-Type": _LINE_ITEM_TYPE, "Accept": _LINE_ITEM_TYPE}
        text = json.dumps(column.content)
        answer = self._call(method, column.url, _LINE_ITEM, kind, text)
        return _column(_read(answer), column.url)

    def send(self, column: Column, score: dict[str, Any]) -> None:
        """Send a student's grade.

        Args:
            column: the lesson's column.
            score: the score in the format of Assignment and Grade Services.

        Raises:
            CourseError: when the platform cannot be reached or refuses.
        """
        parts = urlsplit(column.url)
        url = urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))
        kind = {"Content-Type": _SCORE_TYPE}
        self._call("POST", url, _SCORE, kind, json.dumps(score))

    def _pages(self, url: str, scope: str, accept: str) -> Iterator[Any]:
        """Get all pages of a list."""
        seen = set()
        while url and url not in seen:
            seen.add(url)
            answer = self._call("GET", url, scope, {"Accept": accept})
            yield _read(answer)
            following = answer.links.get("next", {}).get("url", "")
            url = following and _absolute(following, url)

    def _call(
        self, method: str, url: str, scope: str, headers: dict[str, str], text: str | None = None
    ) -> requests.Response:
        """Send a request to a service, with a token for it."""
        own = headers | {"Authorization": f"Bearer {self._token(scope)}"}
        return self._ask(method, url, headers=own, data=text and text.encode())

    def _token(self, scope: str) -> str:
        """A token that is valid for another minute, for one service."""
        known, until = self._tokens.get(scope, ("", 0.0))
        if time.monotonic() < until:
            return known
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": self._registration.assertion(),
            "scope": scope,
        }
        url = self._registration.address("token_url")
        try:
            content = _read(self._ask("POST", url, headers={}, data=form))
        except RequestRefused as refused:
            hint = "" if refused.status in _BUSY or refused.status >= 500 else _NO_TOKEN
            raise RequestRefused(f"{refused}{hint}", refused.status, of_everything=True) from None
        token = content.get("access_token") if isinstance(content, dict) else None
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise CourseError(
                f"{url} gave no access token: is it the right URL for c.LTI.token_url?"
            )
        life = content.get("expires_in")
        life = life if isinstance(life, int | float) else _TOKEN_LIFE
        self._tokens[scope] = token, time.monotonic() + life - _MARGIN
        return token

    def _ask(
        self, method: str, url: str, *, headers: dict[str, str], data: Any
    ) -> requests.Response:
        """Send a request to a platform, and retry if it's busy.

        Raises:
            CourseError: when it can't be reached.
            RequestRefused: when it answers anything but success.
        """
        for wait in (*_WAITS, None):
            try:
                answer = self._session.request(
                    method,
                    url,
                    headers=headers,
                    data=data,
                    auth=_as_it_is,
                    timeout=_TIMEOUT,
                    allow_redirects=False,
                )
            # The redirect's target may not be a valid URL.
            except (requests.RequestException, ValueError) as error:
                raise CourseError(
                    f"{urlsplit(url).hostname} cannot be reached ({_reason(error)}). Check the "
                    "network, then run the command again to resume."
                ) from None
            if answer.status_code not in _BUSY or wait is None:
                break
            said = answer.headers.get("Retry-After", "")
            time.sleep(min(int(said) if said.isdecimal() else wait, _LONGEST_WAIT))
        if not 200 <= answer.status_code < 300:
            raise _refused(answer)
        return answer


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keep a password in ~/.netrc from replacing the token."""
    return request


def _reason(error: Exception) -> str:
    """Why a platform can't be reached."""
    if isinstance(error, requests.Timeout):
        return "no answer"
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate isn't valid here"
    if isinstance(error, requests.ConnectionError):
        return "no connection"
    return "an invalid answer"


def _refused(answer: requests.Response) -> RequestRefused:
    status = answer.status_code
    # A platform's own message may be a whole page.
    said = printable(" ".join(f"{status} {answer.reason or ''} {answer.text}".split()))[:200]
    hint = _HINTS.get(status, "The platform failed: try again later." if status >= 500 else "")
    if 300 <= status < 400:
        moved = printable(answer.headers.get("Location", "elsewhere"))[:200]
        hint = f"It has moved to {moved}: compare the URLs in c.LTI with docs/lti.md."
    message = f"{answer.request.method} {answer.url} gave {said}. {hint}".rstrip()
    return RequestRefused(message, status, of_everything=status == 401 or status in _BUSY)


def _read(answer: requests.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        raise CourseError(
            f"{answer.url} didn't return JSON: compare the URLs in c.LTI with docs/lti.md."
        ) from None


def _objects(content: Any, url: str, what: str) -> list[dict[str, Any]]:
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise CourseError(
            f"{url} returned no list of {what}: compare the URLs in c.LTI with docs/lti.md."
        )
    return content


def _column(content: Any, url: str) -> Column:
    if not isinstance(content, dict) or not isinstance(content.get("id"), str):
        raise CourseError(f"{url} returned a line item without an id.")
    return Column(_absolute(content["id"], url), content)


def _absolute(address: str, base: str) -> str:
    """Check a URL from the platform, to which tokens and grades are sent.

    Raises:
        CourseError: when it isn't secure.
    """
    with suppress(ValueError):
        address = urljoin(base, address)
    return encrypted(address, "A URL from the platform")
