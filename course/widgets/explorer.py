"""The controls of ``course.explore``."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as widgets
from IPython.display import display

from course.attention_map import filled_html, picture_of
from course.models import Encoder
from course.models.words import BLANK, split

_ALL = "all words"


def show(encoder: Encoder, sentence: str, layer: int, head: int, query: str) -> None:
    """Show the controls and the picture, which follows them.

    Args:
        encoder: a trained model.
        sentence: to begin with.
        layer, head: to begin with, counted from 1.
        query: only this word's lines, to begin with.
    """
    wide = widgets.Layout(width="98%")
    box = widgets.Text(sentence, description="Sentence", layout=wide, continuous_update=False)
    layers = widgets.IntSlider(layer, 1, encoder.num_layers, description="Layer")
    heads = widgets.IntSlider(head, 1, encoder.num_heads, description="Head")
    words = widgets.Dropdown(description="Lines of")
    picture, guesses = widgets.HTML(), widgets.HTML()

    def read(_: Any = None) -> None:
        try:
            reading = encoder.read(box.value)
        except ValueError as error:
            picture.value, guesses.value = f"<p>{escape(str(error))}</p>", ""
            return
        options = [_ALL, *dict.fromkeys(reading.tokens)]
        if words.options != tuple(options):
            words.options = options
            words.value = query if query in options else _ALL
        draw()
        blanks = BLANK in split(box.value)
        hint = "<p>Write ___ where the model is to guess a word.</p>"
        guesses.value = filled_html(encoder, box.value) if blanks else hint

    def draw(_: Any = None) -> None:
        try:
            reading = encoder.read(box.value)
        except ValueError:
            return
        chosen = words.value if words.value in reading.tokens else ""
        picture.value = picture_of(reading, layers.value, heads.value, chosen).svg

    box.observe(read, names="value")
    for control in (layers, heads, words):
        control.observe(draw, names="value")
    read()
    display(widgets.VBox([box, widgets.HBox([layers, heads, words]), guesses, picture]))
