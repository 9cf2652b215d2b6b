"""Clean a cell's outputs, whatever a kernel sent, so that every later step can read them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from selfcheck import responses, verdicts

MAX_CELL_BYTES = 2_000_000
"""Maximum size of a cell's outputs as UTF-8, without its response. Every output counts an extra
1,000, because nbformat takes minutes for thousands of small ones."""

MAX_RESPONSE_BYTES = 2 * responses.MAX_BYTES
"""Maximum size of a response: in base64, ``responses.MAX_CELL_BYTES`` take two thirds of it."""

MAX_TOTAL = 20_000_000
"""Maximum size of the outputs of all cells of a notebook, without responses."""

MAX_RESPONSES = 5 * MAX_RESPONSE_BYTES
"""Maximum size of all responses of a notebook, 100 times that of a lesson's right answers."""

MAX_DEPTH = 20
"""Maximum nesting of JSON values. A response has at most 13 levels."""

_OUTPUT, _VALUE = 1_000, 32  # bytes that count for every output and value on top of its text
_SHORT = 2_000  # characters of a text in what is left of an output
_LATE = 20  # outputs that are left of those after the cut

_MIME = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,100}", re.ASCII)


class _Full(Exception):
    """A value is too large for the remaining room."""


class _TooDeep(Exception):
    """A value is nested deeper than ``MAX_DEPTH``."""


class _Budget:
    """Counts the bytes that may still be kept; once something didn't fit, nothing more does."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.full = False

    def spend(self, size: int) -> None:
        if self.full or size > self.left:
            self.full = True
            raise _Full
        self.left -= size


@dataclass
class OutputQuota:
    """The remaining room for the cells of a notebook.

    Args:
        outputs: bytes, responses not counted.
        responses: bytes of these.
    """

    outputs: int = MAX_TOTAL
    responses: int = MAX_RESPONSES

    def clean(self, outputs: list[Any], *, named: bool) -> list[dict[str, Any]]:
        """Clean a cell's outputs as ``clean`` does, and keep only what fits.

        Args:
            outputs: the outputs of one cell, as JSON.
            named: whether nbgrader knows the cell. Only such a cell has responses, and what decides
                the points is kept even if there is no more room.
        """
        if outputs and not named and not self.outputs:
            return [_stream("stdout", _LEFT_OUT)]
        return _cleaned(outputs, self, named)


_LEFT_OUT = f"[output left out: all cells together showed more than {MAX_TOTAL:,} bytes]\n"


def clean(outputs: list[Any]) -> list[dict[str, Any]]:
    """Make a cell's outputs valid, whatever a kernel sent.

    It never raises for any JSON, including deeply nested values, and guarantees:

    - Every output is a stream, an error, a ``display_data`` or an ``execute_result`` that is valid
      for nbformat, with text that can be encoded as UTF-8 and JSON without NaN and infinity (which
      become null). Everything else is left out, and so is all metadata except the sizes of images
      and their alternative text.
    - It has at most ``MAX_CELL_BYTES``, plus ``MAX_RESPONSE_BYTES`` for each response. If outputs
      were cut, a line on stdout says so; errors, results and text on stderr, by which nbgrader
      grades, are shortened instead of left out. So cutting doesn't change grades.
    - A response, under ``selfcheck.responses.MIME``, is unchanged; one that is too large or too
      deep becomes null. If a cell has more than two, two are kept.
    - There are no verdicts, under ``selfcheck.verdicts.MIME``: kernels must not provide any.

    Args:
        outputs: the outputs of one cell, as JSON.

    Example:
        >>> clean([{"output_type": "stream", "name": "stdout", "text": ["a", "b"], "extra": 1}, 7])
        [{'output_type': 'stream', 'name': 'stdout', 'text': 'ab'}]
    """
    return _cleaned(outputs, OutputQuota(), with_responses=True)


def _cleaned(outputs: list[Any], quota: OutputQuota, with_responses: bool) -> list[dict[str, Any]]:
    most = min(MAX_CELL_BYTES, quota.outputs)
    budget = _Budget(most)
    note = (
        f"\n[output cut: more than {MAX_CELL_BYTES:,} bytes]\n"
        if most == MAX_CELL_BYTES
        else _LEFT_OUT
    )
    kept: list[dict[str, Any]] = []
    late = handed_over = 0
    for output in outputs if isinstance(outputs, list | tuple) else ():
        if not isinstance(output, Mapping):
            continue
        response = _response(output, quota) if with_responses and handed_over < 2 else {}
        handed_over += len(response)
        was_full = budget.full
        try:
            cleaned = _clean(output, response, budget)
        except _Full:
            cleaned = _shortened(output, response)
        if cleaned and (not was_full or response or late < _LATE):
            kept.append(cleaned)
            late += was_full
        if budget.full and not was_full:
            kept.append(_stream("stdout", note))
    quota.outputs -= most if budget.full else most - budget.left
    return kept + (_last_error(outputs) if late == _LATE else [])


def execution_count(value: Any) -> int | None:
    """A valid execution count for a notebook: anything but a count becomes None."""
    return value if type(value) is int and 0 <= value < 2**31 else None


def _clean(
    output: Mapping[str, Any], response: dict[str, Any], budget: _Budget
) -> dict[str, Any] | None:
    budget.spend(_OUTPUT)
    kind = output.get("output_type")
    if kind == "stream":
        return _clean_stream(output, budget)
    if kind == "error":
        lines = output.get("traceback")
        lines = lines if isinstance(lines, list | tuple) else []
        ename, evalue = (
            _taken(_text(output.get(key)) or "", budget) for key in ("ename", "evalue")
        )
        traceback = [_taken(line, budget) for line in map(_text, lines) if line is not None]
        return _error(ename, evalue, traceback)
    content = output.get("data")
    if kind not in ("display_data", "execute_result") or not isinstance(content, Mapping):
        return None
    data = {
        mime: value
        for mime, item in content.items()
        if _is_mime(mime) and (value := _value(mime, item, budget)) is not None
    }
    return _rich(kind, data | response, output)


def _shortened(output: Mapping[str, Any], response: dict[str, Any]) -> dict[str, Any] | None:
    """The part of an output without room that is kept because it decides the points."""
    kind = output.get("output_type")
    if kind == "error":
        return _shortened_error(output)
    if kind == "stream" and output.get("name") == "stderr":
        return _stream("stderr", _short(output.get("text")))
    if kind == "execute_result" and isinstance(output.get("data"), Mapping):
        text = _short(output["data"].get("text/plain"))
        return _rich(kind, ({"text/plain": text} if text else {}) | response, output)
    return _rich("display_data", response, output) if response else None


def _shortened_error(output: Mapping[str, Any]) -> dict[str, Any]:
    ename, evalue = (_short(output.get(key)) for key in ("ename", "evalue"))
    return _error(ename, evalue, [f"{ename}: {evalue}"])


def _last_error(outputs: list[Any]) -> list[dict[str, Any]]:
    """The last error, shortened: it says why a cell ended."""
    for output in reversed(outputs):
        if isinstance(output, Mapping) and output.get("output_type") == "error":
            return [_shortened_error(output)]
    return []


def _clean_stream(output: Mapping[str, Any], budget: _Budget) -> dict[str, Any] | None:
    name, text = output.get("name"), _text(output.get("text"))
    if name not in ("stdout", "stderr") or text is None:
        return None
    fits = text.encode("utf-8")[: budget.left].decode("utf-8", "ignore")
    if len(fits) < len(text):
        budget.full = True
        return _stream(name, fits)
    return _stream(name, _taken(text, budget))


def _stream(name: str, text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def _error(ename: str, evalue: str, traceback: list[str]) -> dict[str, Any]:
    return {"output_type": "error", "ename": ename, "evalue": evalue, "traceback": traceback}


def _rich(kind: str, data: dict[str, Any], output: Mapping[str, Any]) -> dict[str, Any] | None:
    if not data:
        return None
    metadata = _of_images(output.get("metadata"))
    cleaned: dict[str, Any] = {"output_type": kind, "data": data, "metadata": metadata}
    if kind == "execute_result":
        cleaned["execution_count"] = execution_count(output.get("execution_count"))
    return cleaned


def _is_mime(mime: Any) -> bool:
    kept_elsewhere = (responses.MIME, verdicts.MIME)
    return isinstance(mime, str) and bool(_MIME.fullmatch(mime)) and mime not in kept_elsewhere


def _value(mime: str, value: Any, budget: _Budget) -> Any:
    """The data under a MIME type, or None."""
    if mime != "application/json" and not mime.endswith("+json"):
        text = _text(value)
        return None if text is None else _taken(text, budget)
    try:
        return _json(value, budget)
    except _TooDeep:
        return None


def _response(output: Mapping[str, Any], quota: OutputQuota) -> dict[str, Any]:
    data = output.get("data")
    if output.get("output_type") not in ("display_data", "execute_result"):
        return {}
    if not isinstance(data, Mapping) or responses.MIME not in data:
        return {}
    budget = _Budget(min(MAX_RESPONSE_BYTES, quota.responses))
    quota.responses -= budget.left
    try:
        response = _json(data[responses.MIME], budget)
    except (_Full, _TooDeep):
        return {responses.MIME: None}
    quota.responses += budget.left
    return {responses.MIME: response}


def _json(value: Any, budget: _Budget, depth: int = 0) -> Any:
    """A copy of a JSON value; what isn't valid JSON becomes null."""
    if depth > MAX_DEPTH:
        raise _TooDeep
    budget.spend(_VALUE)
    if isinstance(value, str):
        return _taken(_encodable(value), budget)
    if isinstance(value, Mapping):
        return {
            _taken(_encodable(key), budget): _json(item, budget, depth + 1)
            for key, item in value.items()
            if isinstance(key, str)
        }
    if isinstance(value, list | tuple):
        return [_json(item, budget, depth + 1) for item in value]
    if isinstance(value, bool):
        return value
    # Python's own JSON refuses to write or to read integers of thousands of digits.
    if isinstance(value, int) and value.bit_length() <= 1024:
        return value
    return value if isinstance(value, float) and math.isfinite(value) else None


def _text(value: Any) -> str | None:
    """Text, or the lines of a text; None for anything else."""
    if isinstance(value, list | tuple) and all(isinstance(line, str) for line in value):
        value = "".join(value)
    return _encodable(value) if isinstance(value, str) else None


def _encodable(text: str) -> str:
    """The text, with a question mark for each lone surrogate, which UTF-8 can't encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _short(value: Any) -> str:
    return (_text(value) or "")[:_SHORT]


def _taken(text: str, budget: _Budget) -> str:
    budget.spend(len(text.encode("utf-8")))
    return text


def _of_images(metadata: Any) -> dict[str, dict[str, Any]]:
    """The sizes of images in pixels and their alternative text, from an output's metadata."""
    if not isinstance(metadata, Mapping):
        return {}
    kept: dict[str, dict[str, Any]] = {}
    for mime in ("image/png", "image/jpeg"):
        entry = metadata.get(mime)
        if isinstance(entry, Mapping):
            size = {key: entry.get(key) for key in ("width", "height")}
            kept[mime] = {
                key: pixels
                for key, pixels in size.items()
                if type(pixels) is int and 0 < pixels <= 10_000
            }
            if isinstance(entry.get("alt"), str):
                kept[mime]["alt"] = _short(entry["alt"])
    return {mime: entry for mime, entry in kept.items() if entry}
