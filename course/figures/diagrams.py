"""Diagrams of the lessons, as SVG: words and their pieces, look-ups, heads, masks, windows.

One visual language: a word is a box; queries are orange, keys green, values blue; the stronger a
line, the larger the weight; padding is hatched; shapes are written in the symbols of the lessons.
Every drawing has a background of its own, so it can be read in light and dark themes, and says in
words what it shows. The same arguments give the same bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

WIDTH = 680
"""Of a drawing, in pixels: it fits into a notebook on a screen of 1,280 pixels."""

INK, PALE, EDGE = "#1b1b1b", "#f4f4f4", "#8a8a8a"
QUERY, KEY, VALUE = "#d55e00", "#00795c", "#0a5fa8"
HEADS = ("#00204d", "#d55e00", "#00795c", "#8a5a9e", "#0a5fa8", "#7a6a00")
"""Colours of heads that stand side by side, as dark as white text needs."""

_BOX = 26


class Drawing:
    """An SVG picture and what it shows.

    Args:
        height: in pixels.
        words: what it shows, for somebody who doesn't see it.
        width: in pixels.
    """

    def __init__(self, height: float, words: str, width: float = WIDTH) -> None:
        self.height, self.width, self.words = height, width, words
        self._parts: list[str] = []
        self._arrows = {INK}

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: str = "middle",
        colour: str = INK,
        size: int = 14,
        bold: bool = False,
    ) -> None:
        """Write a line; ``y`` is its middle."""
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{x:g}" y="{y + size * 0.35:.1f}" text-anchor="{anchor}" fill="{colour}" '
            f'font-size="{size}"{weight}>{escape(words)}</text>'
        )

    def text_up(self, x: float, y: float, words: str, *, size: int = 12) -> None:
        """Write a line upwards; ``x`` is its middle, ``y`` its lower end."""
        self._parts.append(
            f'<text transform="translate({x + size * 0.35:.1f} {y:g}) rotate(-60)" fill="{INK}" '
            f'font-size="{size}">{escape(words)}</text>'
        )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = PALE,
        edge: str = EDGE,
        round: float = 4,
        hatched: bool = False,
    ) -> None:
        """Draw a box; ``x`` and ``y`` are its upper left corner."""
        shape = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round:g}" '
        self._parts.append(f'{shape}fill="{fill}" stroke="{edge}"/>')
        if hatched:
            self._parts.append(f'{shape}fill="url(#padding)"/>')

    def word(self, x: float, y: float, word: str, width: float, **options: Any) -> None:
        """Draw a box with a word in it; ``x`` and ``y`` are its middle."""
        colour = options.pop("colour", INK)
        self.box(x - width / 2, y - _BOX / 2, width, _BOX, **options)
        self.text(x, y, word, colour=colour, size=13)

    def line(
        self,
        points: Sequence[tuple[float, float]],
        *,
        colour: str = INK,
        width: float = 1.5,
        opacity: float = 1.0,
        arrow: bool = False,
        dashed: bool = False,
    ) -> None:
        """Draw a line through points."""
        (x, y), *others = points
        path = f"M{x:g} {y:g}" + "".join(f"L{x:g} {y:g}" for x, y in others)
        more = f' marker-end="url(#arrow-{colour[1:]})"' if arrow else ""
        self._arrows |= {colour} if arrow else set()
        more += ' stroke-dasharray="4 4"' if dashed else ""
        self._parts.append(
            f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
            f'stroke-opacity="{opacity:.3f}"{more}/>'
        )

    @property
    def svg(self) -> str:
        """The picture."""
        size = f'width="{self.width:g}" height="{self.height:g}"'
        markers = "".join(
            f'<marker id="arrow-{colour[1:]}" viewBox="0 0 8 8" refX="7" refY="4" '
            'markerUnits="userSpaceOnUse" markerWidth="10" markerHeight="10" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
            for colour in sorted(self._arrows)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} '
            f'viewBox="0 0 {self.width:g} {self.height:g}" style="max-width: 100%; height: auto" '
            'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif">'
            f"<title>{escape(self.words)}</title><defs>"
            f"{markers}"
            '<pattern id="padding" width="6" height="6" patternUnits="userSpaceOnUse" '
            'patternTransform="rotate(45)"><path d="M0 0V6" stroke="#8a8a8a" stroke-width="2"/>'
            '</pattern></defs><rect width="100%" height="100%" rx="6" fill="#ffffff"/>'
            f"{''.join(self._parts)}</svg>"
        )

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        return (
            {"image/svg+xml": self.svg, "text/plain": self.words},
            {"image/svg+xml": {"alt": self.words}},
        )


def attention_lines(
    tokens: Sequence[str],
    weights: Any,
    *,
    query: int | None = None,
    title: str = "",
    columns: tuple[float, float] = (170, WIDTH - 170),
) -> Drawing:
    """Who looks at whom: the same words twice, and a line for every weight.

    Args:
        tokens: T words.
        weights: of one head. Shape: (T, T), a row per query.
        query: only this word's lines, if given.
        title: above the picture.
        columns: the middles of both columns of words, in pixels.
    """
    weights = np.asarray(weights, float)
    if weights.shape != (len(tokens), len(tokens)):
        raise ValueError(
            f"weights must be (T, T) with T = {len(tokens)} tokens. Received: {weights.shape}"
        )
    step, top = _BOX + 6, 66
    left, right = columns
    asking = range(len(tokens)) if query is None else [query]
    told = "; ".join(
        f"{tokens[row]} looks most at {tokens[int(weights[row].argmax())]} "
        f"({weights[row].max():.2f})"
        for row in asking
    )
    drawing = Drawing(top + step * len(tokens), f"{title or 'Attention'}. {told}.")
    drawing.text((left + right) / 2, 20, title, bold=True)
    drawing.text(left, 44, "looks (query)", colour=QUERY)
    drawing.text(right, 44, "is looked at (key)", colour=KEY)
    for row in asking:
        for column, weight in enumerate(weights[row]):
            if weight >= 0.01:
                drawing.line(
                    [(left + 62, top + row * step + 7), (right - 62, top + column * step + 7)],
                    colour=VALUE,
                    width=0.5 + 5 * weight,
                    opacity=max(0.08, min(1.0, float(weight))),
                )
    for place, token in enumerate(tokens):
        y = top + place * step + 7
        asks = query is None or place == query
        drawing.word(left, y, token, 124, edge=QUERY if asks else EDGE)
        drawing.word(right, y, token, 124, edge=KEY)
    return drawing


def look_up(tokens: Sequence[str], asking: str, weights: Sequence[float]) -> Drawing:
    """A soft dictionary: one query meets all keys, and their values are blended.

    Args:
        tokens: whose keys and values they are.
        asking: whose query it is.
        weights: of the tokens; they sum to 1.
    """
    told = ", ".join(f"{token} {weight:.2f}" for token, weight in zip(tokens, weights, strict=True))
    step, top = 46, 62
    height = top + step * len(tokens) + 6
    words = (
        f"The query of {asking} is compared with the key of every word. The softmax gives the "
        f"weights {told}. The output is the weighted mean of the values."
    )
    drawing = Drawing(height, words)
    middle = top + step * (len(tokens) - 1) / 2 + 8
    drawing.text(80, 24, "query", colour=QUERY, bold=True)
    drawing.text(270, 24, "keys", colour=KEY, bold=True)
    drawing.text(385, 24, "weights", bold=True)
    drawing.text(480, 24, "values", colour=VALUE, bold=True)
    drawing.text(612, 24, "output", bold=True)
    for place, (token, weight) in enumerate(zip(tokens, weights, strict=True)):
        y = top + place * step + 8
        drawing.line([(130, middle), (218, y)], colour=EDGE)
        drawing.word(270, y, token, 100, edge=KEY)
        drawing.box(345, y - 9, 80, 18, edge="#d0d0d0")
        drawing.box(345, y - 9, 80 * weight, 18, fill=QUERY, edge="none", round=0)
        drawing.text(385, y, f"{weight:.2f}", size=13)
        drawing.word(480, y, token, 90, edge=VALUE)
        drawing.line(
            [(526, y), (568, middle)],
            colour=VALUE,
            width=0.8 + 5 * weight,
            opacity=0.3 + weight / 2,
        )
    drawing.word(80, middle, asking, 100, edge=QUERY)
    drawing.word(612, middle, "blend", 84, edge=INK)
    return drawing


def heads(tokens: Sequence[str], num_heads: int, depth: int) -> Drawing:
    """Features split into heads, attended with, and put side by side again.

    Args:
        tokens: T words.
        num_heads: H.
        depth: features of a head.
    """
    size = num_heads * depth
    words = (
        f"Each of {len(tokens)} words has {size} features. They are split into {num_heads} heads "
        f"of {depth} columns: the first head gets the first {depth} columns of every word, and so "
        "on. Each head attends by itself, over all words. What the heads found is put side by "
        f"side again, first head first, so every word has {size} features as before."
    )
    cell = min(20, 150 / size)
    row = 24
    top = 70
    height = top + max(len(tokens) * row, num_heads * (len(tokens) * 14 + 14)) + 14
    drawing = Drawing(height, words)
    drawing.text(120, 22, "before", bold=True)
    drawing.text(120, 44, "(T, d_model)", size=13)
    drawing.text(WIDTH / 2, 22, "each head attends by itself", bold=True)
    drawing.text(WIDTH / 2, 44, "(H, T, d_k)", size=13)
    drawing.text(WIDTH - 100, 22, "after", bold=True)
    drawing.text(WIDTH - 100, 44, "(T, d_model)", size=13)
    left, right = 190 - size * cell, WIDTH - 100 - size * cell / 2
    for place, token in enumerate(tokens):
        y = top + place * row
        drawing.text(left - 8, y + cell / 2, token, anchor="end", size=12)
        for column in range(size):
            colour = HEADS[column // depth % len(HEADS)]
            for x in (left, right):
                drawing.box(x + column * cell, y, cell, cell, fill=colour, edge="#ffffff", round=0)
    for head in range(num_heads):
        colour = HEADS[head % len(HEADS)]
        y = top + head * (len(tokens) * 14 + 14)
        middle = y + len(tokens) * 7
        x = WIDTH / 2 - depth * 7
        for place in range(len(tokens)):
            for column in range(depth):
                at = (x + column * 14, y + place * 14)
                drawing.box(*at, 14, 14, fill=colour, edge="#ffffff", round=0)
        drawing.line([(200, top + len(tokens) * row / 2 - 4), (x - 8, middle)], arrow=True)
        end = (right - 8, top + len(tokens) * row / 2 - 4)
        drawing.line([(x + depth * 14 + 8, middle), end], arrow=True)
    return drawing


def mask_shapes(lengths: Sequence[int], time: int, num_heads: int) -> Drawing:
    """A padding mask and the scores that it has to fit.

    Args:
        lengths: words of each sample; the rest is padding.
        time: S, of the batch.
        num_heads: H.
    """
    batch = len(lengths)
    words = (
        f"A padding mask of shape (B, S) = ({batch}, {time}); its samples have "
        f"{', '.join(map(str, lengths))} words. The scores have the shape (B, H, T, S) = ({batch}, "
        f"{num_heads}, {time}, {time}). With two axes of size 1, as (B, 1, 1, S), the mask is the "
        "same for every head and every query of a sample."
    )
    cell, top = 18, 96
    step = time * cell + 18
    drawing = Drawing(top + batch * step + 6, words)
    drawing.text(110, 22, "mask", bold=True)
    drawing.text(110, 46, f"(B, S) = ({batch}, {time})", size=13)
    drawing.text(440, 22, "scores, masked", bold=True)
    shape = f"({batch}, {num_heads}, {time}, {time})"
    drawing.text(440, 46, f"(B, H, T, S) = {shape} with mask (B, 1, 1, S)", size=13)
    for sample, length in enumerate(lengths):
        y = top + sample * step
        middle = y + step / 2 - 20
        drawing.text(28, middle + 9, f"sample {sample + 1}", size=12, anchor="start")
        for key in range(time):
            padded = key >= length
            fill = PALE if padded else "#cfe8df"
            drawing.box(92 + key * cell, middle, cell, cell, fill=fill, hatched=padded, round=0)
        end = 92 + time * cell
        drawing.line([(end + 10, middle + 9), (end + 60, middle + 9)], arrow=True)
        for head in range(num_heads):
            x = end + 74 + head * (time * cell + 14)
            if sample == 0:
                middle_of_head = x + time * cell / 2
                drawing.text(middle_of_head, y - 12, f"head {head + 1}", size=12)
            for query in range(time):
                for key in range(time):
                    padded = key >= length
                    fill = PALE if padded else "#fbe3d0"
                    at = (x + key * cell, y + query * cell)
                    drawing.box(*at, cell, cell, fill=fill, hatched=padded, round=0)
    return drawing


def clock_hands(encoding: Any, positions: Sequence[int]) -> Drawing:
    """Positions as the hands of clocks: a column per position, a row per hand (two features).

    Args:
        encoding: sines in the even columns, cosines in the odd ones. Shape: (T, d), d even.
        positions: which ones these rows are of. A dashed line shows where some are left out.
    """
    encoding = np.asarray(encoding, float)
    length, depth = encoding.shape
    turned = np.degrees(np.arctan2(encoding[:, 0::2], encoding[:, 1::2])) % 360
    told = "; ".join(
        f"hand {hand}: {', '.join(f'{angle:.0f}' for angle in angles)}"
        for hand, angles in enumerate(turned.T)
    )
    words = (
        f"{depth // 2} clock hands at the positions {', '.join(map(str, positions))}. Degrees to "
        f"which they have turned: {told}. The first hand turns fast, the later ones more and more "
        "slowly."
    )
    cell = min(64, (WIDTH - 130) / length)
    radius = cell / 2 - 5
    drawing = Drawing(44 + cell * (depth // 2) + 8, words)
    for place, position in enumerate(positions):
        drawing.text(120 + (place + 0.5) * cell, 22, f"p = {position}", size=12)
        if place and position - positions[place - 1] > 1:  # others are left out
            x = 120 + place * cell
            drawing.line([(x, 36), (x, drawing.height - 8)], colour="#bbbbbb", dashed=True)
    for hand in range(depth // 2):
        y = 44 + (hand + 0.5) * cell
        drawing.text(8, y - 8, f"hand {hand}", size=12, anchor="start")
        columns = f"columns {2 * hand}, {2 * hand + 1}"
        drawing.text(8, y + 8, columns, size=11, anchor="start")
        for place in range(length):
            x = 120 + (place + 0.5) * cell
            sine, cosine = encoding[place, 2 * hand : 2 * hand + 2]
            drawing.box(x - radius, y - radius, 2 * radius, 2 * radius, round=radius)
            tip = (x + radius * sine, y - radius * cosine)  # 0 degrees are at the top
            drawing.line([(x, y), tip], colour=QUERY, width=3)
    return drawing


def rotated_pair(
    query: Sequence[float], key: Sequence[float], places: Sequence[tuple[int, int]], speed: float
) -> Drawing:
    """A query and a key of two features, turned by their positions: a circle per pair of places.

    The hands show directions, so both have the same length.

    Args:
        query, key: two features each, not both 0.
        places: (position of the query, position of the key), one pair per circle.
        speed: radians per position.
    """
    radius, top = 62, 64
    step = WIDTH / len(places)
    drawing, told = Drawing(top + 2 * radius + 52, ""), []
    legend = f"one pair of features, turned by {speed:g} rad per position (dashed: at 0)"
    drawing.text(WIDTH / 2, 18, legend, size=13)
    for number, positions in enumerate(places):
        x, y = step * (number + 0.5), top + radius
        drawing.box(x - radius, y - radius, 2 * radius, 2 * radius, round=radius)
        turned = []
        for vector, position, colour in zip((query, key), positions, (QUERY, KEY), strict=True):
            start = np.arctan2(vector[1], vector[0])
            before, after = {"width": 1, "dashed": True}, {"width": 3}
            for angle, look in (start, before), (start + speed * position, after):
                tip = (x + radius * np.cos(angle), y - radius * np.sin(angle))  # anticlockwise
                drawing.line([(x, y), tip], colour=colour, **look)
            turned.append(angle)
        between = np.degrees(turned[1] - turned[0]) % 360
        between = round(min(between, 360 - between))
        i, j = positions
        drawing.text(x - 4, 46, f"query at {i},", anchor="end", size=13, colour=QUERY)
        drawing.text(x + 4, 46, f"key at {j}", anchor="start", size=13, colour=KEY)
        drawing.text(x, y + radius + 18, f"j - i = {j - i}", size=13)
        drawing.text(x, y + radius + 36, f"{between}° between them", size=13)
        told.append(f"Query at {i}, key at {j}: {between} degrees between them.")
    drawing.words = (
        f"Two vectors, turned by {speed:g} radians per position, an orange query and a green key "
        "(dashed: as they are at position 0). " + " ".join(told)
    )
    return drawing


def chunks(tokens: Sequence[str], spans: Sequence[Sequence[int]], phrase: Sequence[int]) -> Drawing:
    """Chunks under the text that they were cut from, and a phrase that some of them hold whole.

    Args:
        tokens: T words.
        spans: for each chunk the places of its tokens, one after the other.
        phrase: the places of the words of the phrase.
    """
    told, left = [], 64
    step = (WIDTH - left - 6) / len(tokens)
    drawing = Drawing(86 + 30 * len(spans), "")
    for place, token in enumerate(tokens):
        x = left + step * place
        drawing.box(x, 16, step - 2, 26, fill="#fbe3d0" if place in phrase else PALE)
        drawing.text(x + step / 2 - 1, 29, token, size=10)
    for number, span in enumerate(spans, start=1):
        y = 38 + 30 * number
        whole = set(phrase) <= set(span)
        held = "holds" if whole else "doesn't hold"
        words = " ".join(tokens[place] for place in span)
        told.append(f"Chunk {number}, which {held} the phrase, is: {words}.")
        drawing.text(10, y, f"chunk {number}", size=12, anchor="start")
        first, last = min(span), max(span)
        drawing.box(
            left + step * first, y - 9, step * (last - first + 1) - 2, 18, fill=VALUE, edge="none"
        )
        here = [place for place in phrase if place in span]
        if here:
            drawing.box(
                left + step * here[0],
                y - 9,
                step * len(here) - 2,
                18,
                fill=QUERY if whole else EDGE,
                edge="none",
                round=0,
            )
    legend = "blue: the tokens of a chunk; orange: the phrase, whole; grey: the phrase, cut"
    drawing.text(left, drawing.height - 16, legend, anchor="start", size=12)
    cut = " ".join(tokens[place] for place in phrase)
    drawing.words = f"A text and its chunks. The phrase is: {cut}. {' '.join(told)}"
    return drawing


def word_bars(tokens: Sequence[str], panels: Mapping[str, Sequence[float]]) -> Drawing:
    """Several numbers for each word of a text, as bars above the words; below them if negative.

    Args:
        tokens: T words.
        panels: by what is measured, one number per word. Each panel has a scale of its own.
    """
    step, height = (WIDTH - 20) / len(tokens), 96
    told = []
    drawing = Drawing(height * len(panels) + 46, "")
    for panel, (name, given) in enumerate(panels.items()):
        values = [round(float(value), 2) + 0.0 for value in given]  # never -0.00
        top = height * panel + 30
        largest, least = max(max(values), 0.0), min(min(values), 0.0)
        unit = 50 / ((largest - least) or 1.0)
        zero = top + 8 + largest * unit
        drawing.text(10, top - 14, name, anchor="start", size=13, bold=True)
        drawing.line([(10, zero), (WIDTH - 10, zero)], colour=EDGE, width=1)
        colour = HEADS[panel % len(HEADS)]
        for place, value in enumerate(values):
            x, size = 10 + step * place, abs(value) * unit
            drawing.box(
                x + step / 2 - 8,
                zero - size if value > 0 else zero,
                16,
                size,
                fill=colour,
                edge="none",
                round=0,
            )
            y = zero - size - 7 if value > 0 else zero + size + 7
            drawing.text(x + step / 2, y, f"{value:.2f}", size=10)
        most = max(range(len(values)), key=lambda place: abs(given[place]))
        each = ", ".join(
            f"{token} {value:.2f}" for token, value in zip(tokens, values, strict=True)
        )
        told.append(f"{name}: most for {tokens[most]}. {each}.")
    for place, token in enumerate(tokens):
        drawing.box(12 + step * place, drawing.height - 33, step - 4, _BOX)
        size = 13 if step > 60 else 11
        drawing.text(10 + step * (place + 0.5), drawing.height - 20, token, size=size)
    drawing.words = " ".join(told)
    return drawing


def windows(tokens: Sequence[str], width: int, stride: int = 1) -> Drawing:
    """A convolution's windows over a text.

    Args:
        tokens: T words.
        width: words of a window.
        stride: words from one window to the next.
    """
    starts = range(0, len(tokens) - width + 1, stride)
    words = (
        f"A window of {width} words moves over {len(tokens)} words, {stride} at a time: "
        f"{len(starts)} windows, each of which gives one vector."
    )
    step = (WIDTH - 40) / len(tokens)
    drawing = Drawing(70 + 26 * len(starts), words)
    for place, token in enumerate(tokens):
        drawing.word(20 + step * (place + 0.5), 30, token, step - 8)
    for number, start in enumerate(starts):
        y = 66 + 26 * number
        colour = HEADS[number % len(HEADS)]
        drawing.box(24 + step * start, y - 8, step * width - 8, 16, fill=colour, edge="none")
        middle = 24 + step * start + (step * width - 8) / 2
        drawing.text(middle, y, str(number + 1), colour="#ffffff", size=12)
    return drawing


_WEIGHTS = {"attention": "weights (B, H, T, T)", "Fastformer": "weights (B, H, T), twice"}
"""What the first part of an encoder layer may be, and what is inside."""


def encoder_layer(*, highlighted: str = "", first: str = "attention") -> Drawing:
    """An encoder layer: two parts, each with a residual path around it and a norm after it.

    Args:
        highlighted: ``"attention"``, ``"network"`` or ``"residual path"``, to be drawn in colour.
        first: what the first part is: ``"attention"`` or ``"Fastformer"``.
    """
    inside_first = _WEIGHTS[first]
    words = (
        f"An encoder layer. The vectors go through {first} and dropout, and around them: both are "
        "added and normalised. Then they go through a feed-forward network and dropout, and around "
        "them: both are added and normalised again. The shape (B, T, d_model) stays the same "
        f"throughout; inside, {first} has {inside_first}, and the network hidden units of the "
        "shape (B, T, ff_dim)."
    )
    if highlighted:
        words += f" Highlighted: {highlighted}."
    drawing = Drawing(140, words)
    parts = (
        ("attention", first, 176, inside_first),
        ("network", "feed-forward", 430, "hidden (B, T, ff_dim)"),
    )
    for x in (46, 632):
        drawing.text(x, 84, "vectors", size=13)
        drawing.text(x, 102, "(B, T, d_model)", size=11)
    around = highlighted == "residual path"
    for name, label, x, inside in parts:
        mine = name == highlighted
        drawing.text(x, 124, inside, size=11)
        drawing.line([(92 if name == "attention" else x - 107, 88), (x - 50, 88)], arrow=True)
        drawing.line(
            [(x - 70, 88), (x - 70, 34), (x + 78, 34), (x + 78, 75)],
            arrow=True,
            colour=QUERY if around else INK,
            width=2.5 if around else 1.5,
        )
        drawing.box(x - 50, 66, 100, 44, fill=QUERY if mine else PALE)
        colour = "#ffffff" if mine else INK
        drawing.text(x, 81, label, colour=colour, bold=mine, size=13)
        drawing.text(x, 98, "dropout", colour=colour, size=11)
        drawing.line([(x + 50, 88), (x + 65, 88)], arrow=True)
        drawing.box(x + 66, 76, 24, 24, round=12)
        drawing.text(x + 78, 87, "+", size=16)
        drawing.line([(x + 90, 88), (x + 105, 88)], arrow=True)
        drawing.box(x + 106, 70, 42, 36)
        drawing.text(x + 127, 88, "norm", size=13)
        drawing.text(x + 4, 22, "residual path", size=11, colour="#555555")
    drawing.line([(578, 88), (590, 88)], arrow=True)
    return drawing


def transformer_classifier() -> Drawing:
    """From ids to probabilities: the vectors of a text, an encoder layer, their mean."""
    words = (
        "A classifier. Ids (B, T) become vectors (B, T, d_model), of tokens and positions. An "
        "encoder layer gives vectors of the same shape. Their mean is one vector for each text, "
        "(B, d_model); some of its features are dropped in training; a dense layer with a softmax "
        "gives the probabilities, (B, classes). The mask of padding, (B, T), is made of the ids. "
        "The encoder layer and the mean need it."
    )
    drawing = Drawing(132, words)
    steps = (
        (("embedding,", "positions"), 126, "(B, T, d_model)"),
        (("encoder", "layer"), 236, "(B, T, d_model)"),
        (("mean",), 332, "(B, d_model)"),
        (("dropout",), 416, "(B, d_model)"),
        (("dense,", "softmax"), 512, "(B, classes)"),
    )
    drawing.text(30, 44, "ids", size=13)
    drawing.text(30, 62, "(B, T)", size=11)
    before = 54.0
    for lines, x, shape in steps:
        width = 94 if len(lines) > 1 else 70
        drawing.line([(before, 48), (x - width / 2, 48)], arrow=True)
        drawing.box(x - width / 2, 26, width, 44)
        for place, line in enumerate(lines):
            drawing.text(x, 48 + 16 * (place - (len(lines) - 1) / 2), line, size=13)
        drawing.text(x, 14, shape, size=11, colour="#555555")
        before = x + width / 2
    drawing.line([(before, 48), (before + 22, 48)], arrow=True)
    drawing.text(before + 26, 48, "probabilities", anchor="start", size=12)
    drawing.line([(30, 72), (30, 108), (236, 108), (236, 72)], colour=KEY, arrow=True)
    drawing.line([(236, 108), (332, 108), (332, 72)], colour=KEY, arrow=True)
    drawing.text(132, 98, "mask (B, T): ids that aren't 0", size=11, colour=KEY)
    return drawing


def pairs(tokens: Sequence[str]) -> Drawing:
    """Every token meets every other one, or all of them meet one summary.

    Args:
        tokens: T words.
    """
    count = len(tokens)
    words = (
        f"Two ways to let {count} words know of one another. On the left, full attention: a line "
        f"from each word to each word, {count} times {count} = {count**2} lines. On the right, "
        f"additive attention: {count} lines lead from the words to one summary, and {count} lead "
        f"back from it, {2 * count} lines."
    )
    step, top = _BOX + 8, 74
    height = top + step * count
    drawing = Drawing(height, words)
    middle = top + step * (count - 1) / 2
    rows = [top + step * place for place in range(count)]
    for left, right, title in ((70, 270, "full attention"), (410, 610, "additive attention")):
        drawing.text((left + right) / 2, 20, title, bold=True)
        lines = count**2 if left < WIDTH / 2 else 2 * count
        drawing.text((left + right) / 2, 42, f"{lines} lines", size=13)
        for row in rows:
            if left < WIDTH / 2:
                for other in rows:
                    drawing.line([(left + 46, row), (right - 46, other)], colour=VALUE, width=1)
            else:
                drawing.line([(left + 46, row), (WIDTH - 202, middle)], colour=VALUE, width=1)
                drawing.line([(WIDTH - 138, middle), (right - 46, row)], colour=VALUE, width=1)
        for token, row in zip(tokens, rows, strict=True):
            for x in (left, right):
                drawing.word(x, row, token, 92)
    drawing.word(WIDTH - 170, middle, "all", 64, fill=VALUE, edge=VALUE, colour="#ffffff")
    return drawing


def fastformer() -> Drawing:
    """The Fastformer layer: two poolings, and two products that bring them back to each token."""
    words = (
        "The Fastformer layer. Each token has a query and a key. All queries are pooled to one "
        "global query. It is multiplied with each key, which gives p. All p are pooled to one "
        "global key. It is multiplied with each query, which serves as the value, and gives u. "
        "The output is W_O u plus the token's own query. The steps are numbered from 1 to 6."
    )
    drawing = Drawing(190, words)
    upper, lower = 62, 140
    drawing.word(52, 100, "tokens", 72)
    drawing.text(52, 126, "(B, T, any)", size=11)
    boxes = (
        ("queries", 150, upper, QUERY),
        ("keys", 150, lower, KEY),
        ("p", 340, lower, KEY),
        ("u", 520, upper, VALUE),
    )
    for y in (upper, lower):
        drawing.line([(88, 100), (112, y)], arrow=True)
    for label, x, y, colour in boxes:
        drawing.word(x, y, label, 72 if x < 200 else 40, edge=colour)
    macron = "\u0304"  # above the letter, as in the formulas
    for label, x, colour in (("global query q", 262, QUERY), ("global key k", 436, KEY)):
        drawing.word(x, 100, label + macron, 112, fill=colour, edge=colour, colour="#ffffff")
    drawing.line([(186, upper + 6), (230, 84)], arrow=True)
    drawing.text(214, 62, "pooled", size=11)
    drawing.line([(186, lower), (318, lower)], arrow=True)
    drawing.line([(262, 114), (262, lower)])
    drawing.text(270, lower + 14, "⊙", size=14)
    drawing.line([(360, lower - 6), (404, 116)], arrow=True)
    drawing.text(396, 138, "pooled", size=11)
    drawing.line([(186, upper - 6), (498, upper - 6)], arrow=True)
    drawing.line([(436, 86), (436, upper - 6)])
    drawing.text(448, upper - 18, "⊙", size=14)
    drawing.text(300, upper - 16, "values = queries", size=11)
    drawing.line([(540, upper), (564, upper)], arrow=True)
    drawing.box(566, upper - 13, 42, _BOX)
    drawing.text(587, upper, "Wᴼ", size=13)
    drawing.line([(608, upper), (622, upper)], arrow=True)
    drawing.box(624, upper - 12, 24, 24, round=12)
    drawing.text(636, upper - 1, "+", size=16)
    drawing.line([(150, upper - 13), (150, 20), (636, 20), (636, upper - 14)], arrow=True)
    drawing.text(390, 10, "the token's own query", size=11, colour="#555555")
    drawing.line([(636, upper + 12), (636, 118)], arrow=True)
    drawing.word(636, 134, "output", 72)
    drawing.text(636, 160, "(B, T, H · d)", size=11)
    steps = (100, 100), (192, 87), (290, lower + 14), (365, 110), (470, upper - 18), (587, 38)
    for number, (x, y) in enumerate(steps, start=1):
        drawing.box(x - 8, y - 8, 16, 16, fill="#ffffff", round=8)
        drawing.text(x, y, str(number), bold=True, size=11)
    return drawing


def chain(topics: Sequence[str], odd: int, read: int) -> Drawing:
    """A chain of articles, one of which has another topic than the others.

    Args:
        topics: of each article.
        odd: which article is the odd one.
        read: how many articles a model reads that cuts the chain off.
    """
    others = topics[odd - 1] if odd else topics[1]
    words = (
        f"A chain of {len(topics)} articles. All are about {others}, but number {odd + 1} is about "
        f"{topics[odd]}: that is the label. A model that cuts the chain off after {read} articles "
        f"{'reads' if odd < read else 'never sees'} it."
    )
    drawing = Drawing(116, words)
    step = (WIDTH - 24) / len(topics)
    gap = min(4, step / 3)
    for place, topic in enumerate(topics):
        mine = place == odd
        drawing.box(
            12 + step * place,
            44,
            step - gap,
            36,
            fill=QUERY if mine else PALE,
            edge=QUERY if mine else EDGE,
            round=min(4, step / 4),
            hatched=place >= read,
        )
        if mine:
            middle = 12 + step * (place + 0.5) - gap / 2
            drawing.text(min(max(middle, 60), WIDTH - 60), 100, topic, bold=True, size=13)
    early = read < len(topics) / 2
    at, anchor = (WIDTH - 14, "end") if early else (12, "start")
    drawing.text(at, 24, f"articles about {others}", anchor=anchor, size=13)
    cut = 12 + step * read - gap / 2
    drawing.line([(cut, 30), (cut, 90)], dashed=True)
    drawing.text(min(max(cut, 60), WIDTH - 60), 20, "read until here", size=12)
    return drawing


def matches(text: str, patterns: Sequence[str]) -> Drawing:
    """What regular expressions find in a text, character by character.

    Args:
        text: in one line.
        patterns: each gets a row in which its matches are coloured, two colours by turns.
    """
    left, row, told = 138, 30, []
    cell = min(18.0, (WIDTH - left - 8) / len(text))
    size = 13 if cell > 13 else 11
    drawing = Drawing(64 + row * len(patterns), "")
    for place, character in enumerate(text):
        x = left + cell * place
        drawing.box(x, 10, cell, 22, round=0)
        drawing.text(x + cell / 2, 21, character, size=size)
    for number, pattern in enumerate(patterns):
        y = 40 + row * number
        drawing.text(10, y + 11, pattern, anchor="start", size=13, bold=True)
        drawing.line([(left, y + 22), (left + cell * len(text), y + 22)], colour="#d0d0d0")
        found = [match for match in re.finditer(pattern, text) if match.group()]
        told.append(f"{pattern} finds {', '.join(match.group() for match in found) or 'nothing'}.")
        for turn, match in enumerate(found):
            start, end = match.span()
            fill = (VALUE, QUERY)[turn % 2]
            drawing.box(left + cell * start, y, cell * (end - start), 22, fill=fill, edge="none")
            for place in range(start, end):
                x = left + cell * (place + 0.5)
                drawing.text(x, y + 11, text[place], colour="#ffffff", size=size)
    legend = "blue and orange by turns, so that you see where one match ends and the next begins"
    drawing.text(10, 50 + row * len(patterns), legend, anchor="start", size=12)
    drawing.words = f"The text {text!r}, character by character. {' '.join(told)}"
    return drawing


def merge_trees(words: Sequence[str], merges: Sequence[tuple[str, str]]) -> Drawing:
    """Words that byte-pair merges put together from letters, as trees.

    Args:
        words: each begins as its letters, at the bottom.
        merges: pairs of neighbouring pieces, in the order in which they are merged. Every merge is
            a box with its number above the two pieces that it joins.
    """
    cell, gap, level = 24, 14, 42
    told: list[str] = []
    rows: list[list[tuple[str, float]]] = [[]]
    across = gap
    for word in words:
        if rows[-1] and across + cell * len(word) + gap > WIDTH:
            rows.append([])
            across = gap
        rows[-1].append((word, across))
        across += cell * len(word) + gap
    drawing = Drawing(0, "")
    top = 0
    for row in rows:
        grown = [(_grow(word, merges), start) for word, start in row]
        deepest = max(depth for nodes, _ in grown for *_, depth in nodes)
        bottom = top + 28 + level * deepest
        for nodes, start in grown:
            pieces = sorted((node for node in nodes if not node[1]), key=lambda node: node[3])
            told.append("·".join(piece for piece, *_ in pieces))
            for piece, parent, number, middle, depth in nodes:
                x, y = start + cell * middle, bottom - level * depth
                if parent:
                    end = (start + cell * parent[0], bottom - level * parent[1] + 13)
                    drawing.line([(x, y - 13), end], colour=EDGE)
                width = max(cell - 3, 9 * len(piece) + 8)
                edge = EDGE if parent else KEY
                drawing.word(x, y, piece, width, edge=edge, fill="#ffffff" if parent else "#cfe8df")
                if number:  # over any line that passes there
                    left = x - width / 2 - 8
                    drawing.box(left - 4, y - 16, 8, 13, fill="#ffffff", edge="none", round=0)
                    drawing.text(left, y - 9, str(number), colour=QUERY, size=12)
        top = bottom + 22
    legend = "orange: the number of the merge that made a piece; green: the pieces at the end"
    drawing.text(gap, top + 12, legend, anchor="start", size=12)
    drawing.height = top + 28
    steps = ", ".join(f"{number} {a}+{b}" for number, (a, b) in enumerate(merges, 1))
    drawing.words = f"Byte-pair merges, in order: {steps}. The words become {', '.join(told)}."
    return drawing


def _grow(word: str, merges: Sequence[tuple[str, str]]) -> list[list[Any]]:
    """The nodes of a word's tree: piece, (middle, depth) of the parent, merge, middle, depth."""
    pieces = [[letter, (), 0, place + 0.5, 0] for place, letter in enumerate(word)]
    nodes = list(pieces)
    for number, pair in enumerate(merges, 1):
        joined: list[list[Any]] = []
        for piece in pieces:
            if joined and (joined[-1][0], piece[0]) == pair:
                first = joined.pop()
                middle, depth = (first[3] + piece[3]) / 2, max(first[4], piece[4]) + 1
                first[1] = piece[1] = (middle, depth)
                piece = [first[0] + piece[0], (), number, middle, depth]
                nodes.append(piece)
            joined.append(piece)
        pieces = joined
    return nodes


def forms(words: Sequence[str], columns: Mapping[str, Sequence[str | Sequence[str]]]) -> Drawing:
    """The same words in several forms. What several words share in a column has a colour, the same
    in all columns.

    Args:
        words: one per row.
        columns: by name, what becomes of each word: one string, or its pieces.
    """
    step, top, left = 34, 44, 130.0
    drawing = Drawing(top + step * len(words), "")
    told: dict[str, list[str]] = {word: [] for word in words}
    for place, word in enumerate(words):
        drawing.text(14, top + step * place + 12, word, anchor="start", bold=True)
    cut = {
        name: [[form] if isinstance(form, str) else list(form) for form in given]
        for name, given in columns.items()
    }
    needed = {
        name: max(8 * len(name), *(sum(8 * len(piece) + 14 for piece in row) for row in rows))
        for name, rows in cut.items()
    }
    gap = max(8.0, (WIDTH - left - sum(needed.values())) / len(columns))
    rows_with = {
        name: Counter(piece for pieces in rows for piece in dict.fromkeys(pieces))
        for name, rows in cut.items()
    }
    shared = {
        name: [piece for piece, count in counted.items() if count > 1]
        for name, counted in rows_with.items()
    }
    coloured = list(dict.fromkeys(piece for pieces in shared.values() for piece in pieces))
    for name, rows in cut.items():
        drawing.text(left, 20, name, anchor="start", bold=True, colour=VALUE)
        for row, (word, pieces) in enumerate(zip(words, rows, strict=True)):
            x = left
            for piece in pieces:
                size = 8 * len(piece) + 11
                options: dict[str, Any] = {}
                if piece in shared[name]:
                    fill = HEADS[coloured.index(piece) % len(HEADS)]
                    options = {"fill": fill, "colour": "#ffffff", "edge": "none"}
                drawing.word(x + size / 2, top + step * row + 12, piece, size, **options)
                x += size + 3
            told[word].append(f"{name} {'·'.join(pieces)}")
        left += needed[name] + gap
    each = "; ".join(f"{word}: {', '.join(said)}" for word, said in told.items())
    drawing.words = f"The same words in several forms. {each}."
    return drawing


def hidden_words(tokens: Sequence[str], read: Sequence[str], asked: Sequence[int]) -> Drawing:
    """What a masked language model reads, what it has to say, and where that counts.

    Args:
        tokens: of a text, with empty ones as padding.
        read: what takes their places.
        asked: the places of the words that are asked for.
    """
    told = "; ".join(
        f"in the place of {tokens[place]} it reads {read[place]}"
        if read[place] != tokens[place]
        else f"{tokens[place]} stays as it is"
        for place in asked
    )
    drawing = Drawing(
        190,
        f"The text {' '.join(filter(None, tokens))}, and padding. The model is asked for "
        f"{len(asked)} words: {told}. Only these have a weight of 1.",
    )
    left, step = 96, (WIDTH - 104) / len(tokens)
    rows = {"text": 24, "inputs": 72, "targets": 120, "weights": 166}
    for name, y in rows.items():
        drawing.text(10, y, name, anchor="start", size=13, bold=True)
    for place, (token, given) in enumerate(zip(tokens, read, strict=True)):
        x, counts = left + step * (place + 0.5), place in asked
        plain = {"hatched": not token}
        drawing.word(x, rows["text"], token, step - 6, **plain)
        drawing.word(x, rows["inputs"], given, step - 6, edge=QUERY if counts else EDGE, **plain)
        drawing.word(x, rows["targets"], token, step - 6, edge=VALUE if counts else EDGE, **plain)
        drawing.text(x, rows["weights"], str(int(counts)), bold=counts)
        if counts:
            drawing.line([(x, rows["text"] + 14), (x, rows["inputs"] - 15)], arrow=True)
    return drawing


def convolution(words: Sequence[str], kernel_size: int, strides: int) -> Drawing:
    """A window that slides over words, and the number that each of its places gives.

    Args:
        words: T words.
        kernel_size: of the window.
        strides: how many words it moves at a time.
    """
    starts = range(0, len(words) - kernel_size + 1, strides)
    told = "; ".join(" ".join(words[start : start + kernel_size]) for start in starts)
    drawing = Drawing(
        58 + 40 * len(starts),
        f"A window of {kernel_size} words slides over {len(words)} words, {strides} at a time. "
        f"It stops {len(starts)} times: {told}. At each stop, words are multiplied by the weights "
        "of their places, all is added up, and a bias b is added: one number per kernel.",
    )
    width = (WIDTH - 130) / len(words)
    for place, word in enumerate(words):
        drawing.text(14 + (place + 0.5) * width, 24, word, size=13)
    drawing.text(WIDTH - 62, 24, "sum + b", bold=True)
    for step, start in enumerate(starts):
        y = 60 + 40 * step
        for place in range(len(words)):
            x, inside = 14 + place * width, start <= place < start + kernel_size
            fill, edge = ("#cfe8df", KEY) if inside else (PALE, "#d0d0d0")
            drawing.box(x + 3, y - 12, width - 6, 24, fill=fill, edge=edge)
            if inside:
                drawing.text(x + width / 2, y, f"× W{_below(place - start)}", size=12)
        end = 14 + (start + kernel_size) * width
        drawing.line([(end, y), (WIDTH - 88, y)], colour=KEY, arrow=True)
        drawing.word(WIDTH - 62, y, f"y{_below(step)}", 44, edge=VALUE)
    return drawing


def _below(number: int) -> str:
    """A whole number in small digits below the line."""
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def receptive_field(kernel_sizes: Sequence[int], strides: Sequence[int], words: int) -> Drawing:
    """What the first step of the last of several convolutions sees, layer by layer.

    Args:
        kernel_sizes: from the first layer to the last.
        strides: in the same order.
        words: of the text, at least as many as that step sees.
    """
    counts, apart = [words], [1]
    for size, stride in zip(kernel_sizes, strides, strict=True):
        counts.append((counts[-1] - size) // stride + 1)
        apart.append(apart[-1] * stride)
    seen, middles = [1], [0.0]
    for size, stride in zip(reversed(kernel_sizes), reversed(strides), strict=True):
        seen.insert(0, (seen[0] - 1) * stride + size)
    for layer, size in enumerate(kernel_sizes):
        middles.append(middles[-1] + (size - 1) / 2 * apart[layer])
    names = ["words", *(f"layer {layer + 1}" for layer in range(len(kernel_sizes)))]
    told = ", ".join(f"{count} of the {name}" for count, name in zip(seen, names, strict=True))
    rows, step = len(names), (WIDTH - 110) / words
    drawing = Drawing(
        40 + 64 * rows,
        f"Convolutions on top of each other, kernel sizes {list(kernel_sizes)} and strides "
        f"{list(strides)}, over {words} words. The first step of the last layer sees, from the "
        f"bottom up: {told}.",
    )

    def place(layer: int, number: int) -> tuple[float, float]:
        return 96 + (middles[layer] + number * apart[layer] + 0.5) * step, 64 * (rows - layer) - 24

    for layer in range(rows - 1):
        for upper in range(seen[layer + 1]):
            first = upper * strides[layer]
            for lower in range(first, first + kernel_sizes[layer]):
                x, y = place(layer + 1, upper)
                below = place(layer, lower)
                drawing.line([(x, y + 6), (below[0], below[1] - 6)], colour=KEY, opacity=0.35)
    for layer, name in enumerate(names):
        y = place(layer, 0)[1]
        drawing.text(8, y, name, anchor="start", size=13)
        if layer:
            words_apart = f"{apart[layer]} word{'s' if apart[layer] > 1 else ''} apart"
            drawing.text(8, y + 16, words_apart, anchor="start", size=11)
        size = min(12, step - 3)
        for number in range(counts[layer]):
            fill, edge = (KEY, KEY) if number < seen[layer] else (PALE, EDGE)
            x = place(layer, number)[0]
            drawing.box(x - size / 2, y - 6, size, 12, fill=fill, edge=edge, round=2)
    width = seen[0]
    drawing.text(96 + width * step / 2, 64 * rows + 8, f"{width} words", size=13, colour=KEY)
    return drawing


def padding_wins(numbers: Sequence[float], words: int) -> Drawing:
    """One kernel's numbers at all steps, and which of them a pooling keeps, without a mask and with
    one.

    Args:
        numbers: of each step, 0 or more.
        words: of how many steps, from the first, the window holds a word.
    """
    values = np.asarray(numbers, float)
    everywhere, among_words = int(values.argmax()), int(values[:words].argmax())
    drawing = Drawing(
        190,
        f"The numbers of one kernel at {len(values)} steps: {', '.join(f'{n:g}' for n in values)}. "
        f"The last {len(values) - words} are of windows of nothing but padding. Without a mask "
        f"the largest number is {values[everywhere]:g}, from step {everywhere}; with the mask "
        f"it's {values[among_words]:g}, from step {among_words}.",
    )
    left = 60
    step = (WIDTH - 170 - left) / len(values)
    scale = 86 / values.max()
    drawing.text(left - 6, 144, "step", anchor="end", size=12)
    for place, value in enumerate(values):
        x, padded = left + place * step, place >= words
        height = max(value * scale, 1.0)
        fill = PALE if padded else KEY
        edge = EDGE if padded else KEY
        drawing.box(
            x + 4, 130 - height, step - 8, height, fill=fill, edge=edge, hatched=padded, round=2
        )
        drawing.text(x + step / 2, 118 - height, f"{value:g}", size=12)
        drawing.text(x + step / 2, 144, f"{place}", size=12)
    drawing.text(left + words * step / 2, 170, "windows with words", size=13)
    middle = left + (words + len(values)) * step / 2
    drawing.text(middle, 170, "padding alone", size=13, colour="#555555")
    drawing.text(WIDTH - 84, 40, "largest of all:", size=13)
    drawing.word(WIDTH - 84, 66, f"{values[everywhere]:g}", 70, edge=QUERY)
    drawing.text(WIDTH - 84, 104, "largest with the mask:", size=13)
    drawing.word(WIDTH - 84, 130, f"{values[among_words]:g}", 70, edge=KEY)
    return drawing


def fields(words: int, length: int, width: int, apart: int) -> Drawing:
    """The receptive fields of all steps over a text with padding, and which of them hold a word.

    Args:
        words: of the text.
        length: of the text with its padding, T.
        width: of a field, in words.
        apart: words from the beginning of a field to the beginning of the next one.
    """
    begins = range(0, length - width + 1, apart)
    told = "; ".join(
        f"step {number}: from {begin} to {begin + width - 1}, "
        f"{'with a word' if begin < words else 'padding alone'}"
        for number, begin in enumerate(begins)
    )
    left, row = 74, 30
    cell = (WIDTH - 110 - left) / length
    drawing = Drawing(
        68 + row * len(begins),
        f"A text of {words} words, filled up to {length}. The fields of its {len(begins)} steps, "
        f"{told}.",
    )
    drawing.text(8, 36, "text", anchor="start", size=13)
    drawing.text(WIDTH - 52, 36, "holds a word?", size=13)
    for place in range(length):
        padded = place >= words
        fill, edge = (PALE, EDGE) if padded else ("#cfe8df", KEY)
        at = (left + place * cell, 28)
        drawing.box(*at, cell, 16, fill=fill, edge=edge, hatched=padded, round=0)
    marked = {0, words - 1, length - 1, *begins}
    for place in sorted(marked):
        drawing.text(left + (place + 0.5) * cell, 14, f"{place}", size=11)
    for number, begin in enumerate(begins):
        y, holds = 68 + row * number, begin < words
        drawing.text(8, y, f"step {number}", anchor="start", size=13)
        colour = KEY if holds else EDGE
        fill = "#cfe8df" if holds else PALE
        at = (left + begin * cell, y - 8)
        drawing.box(*at, width * cell, 16, fill=fill, edge=colour, hatched=not holds, round=2)
        drawing.text(WIDTH - 52, y, str(holds), size=13, bold=holds)
    return drawing
