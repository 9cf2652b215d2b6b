"""What a trained model makes of a sentence, drawn: a head's weights, and words for blanks."""

from __future__ import annotations

from html import escape

import numpy as np

from course.figures.diagrams import WIDTH, Drawing, attention_lines
from course.models import Encoder, Reading

_CELL = 26
_COLUMNS = (72, 308)
_BESIDE = 12


def picture_of(reading: Reading, layer: int, head: int, query: str = "") -> Drawing:
    """A head's weights, as lines between words and as a heat map.

    Args:
        reading: what an encoder made of a sentence.
        layer, head: counted from 1.
        query: only this word's lines and row, if given.

    Raises:
        ValueError: when there is no such layer, head or word.
    """
    layers, heads = reading.weights.shape[:2]
    if not (1 <= layer <= layers and 1 <= head <= heads):
        raise ValueError(
            f"There are layers 1 to {layers} with heads 1 to {heads}. "
            f"Received: layer {layer}, head {head}"
        )
    if query and query not in reading.tokens:
        raise ValueError(
            f"query must be one of the sentence's words, {', '.join(reading.tokens)}. "
            f"Received: {query!r}"
        )
    weights = reading.weights[layer - 1, head - 1]
    row = reading.tokens.index(query) if query else None
    title = f"Layer {layer}, head {head}"
    drawing = attention_lines(reading.tokens, weights, query=row, title=title, columns=_COLUMNS)
    _add_heat_map(drawing, reading.tokens, weights)
    return drawing


def _add_heat_map(drawing: Drawing, tokens: tuple[str, ...], weights: np.ndarray) -> None:
    """Beside the lines, or below those of a long sentence, the same weights as shades."""
    # The words above slope: they need 110 pixels.
    left, top = (474, 130) if len(tokens) <= _BESIDE else (150, drawing.height + 110)
    cell = min(_CELL, (WIDTH - left - 16) / len(tokens))
    drawing.height = max(drawing.height, top + cell * len(tokens) + 30)
    drawing.text(left, top - 110, "one row per query", anchor="start")
    largest = max(float(np.nanmax(weights)), 0.01)
    for row, token in enumerate(tokens):
        y = top + row * cell
        drawing.text(left - 8, y + cell / 2, token, anchor="end", size=11)
        drawing.text_up(left + (row + 0.5) * cell, top - 8, token, size=11)
        for column, weight in enumerate(weights[row]):
            shade = 0.0 if np.isnan(weight) else float(weight) / largest
            fill = "#{:02x}{:02x}{:02x}".format(
                *(round(255 + (dark - 255) * shade) for dark in (10, 95, 168))
            )
            drawing.box(left + column * cell, y, cell, cell, fill=fill, edge="#e0e0e0", round=0)
    drawing.text(
        left, top + cell * len(tokens) + 14, f"darkest: {largest:.2f}", anchor="start", size=11
    )


def filled(encoder: Encoder, sentence: str) -> str:
    """The five best words for every blank of a sentence, a line per blank.

    Args:
        encoder: a trained model.
        sentence: with at least one ``___``.
    """
    return "\n".join(
        f"blank {number}: {', '.join(map(str, guesses))}"
        for number, guesses in enumerate(encoder.fill(sentence), 1)
    )


def filled_html(encoder: Encoder, sentence: str) -> str:
    """The same as an HTML table with a bar per word.

    Args:
        encoder: a trained model.
        sentence: with at least one ``___``.
    """
    columns = []
    for number, guesses in enumerate(encoder.fill(sentence), 1):
        rows = "".join(
            f"<tr><td>{escape(guess.word)}</td><td>{guess.probability:.0%}</td><td>"
            f'<div style="background: #0a5fa8; height: 0.8em; width: '
            f'{120 * guess.probability:.0f}px"></div></td></tr>'
            for guess in guesses
        )
        columns.append(f"<td><b>Blank {number}</b><table>{rows}</table></td>")
    return f"<table><tr style='vertical-align: top'>{''.join(columns)}</tr></table>"
