"""Look inside a trained model: a sentence, a layer, a head, and what the model makes of a blank.

In JupyterLab, VS Code and Colab the controls can be moved; elsewhere there is a picture.
"""

from __future__ import annotations

from html import escape
from typing import Any

from course.figures.attention_map import filled, filled_html, picture_of
from course.models import Encoder
from course.models.words import BLANK, split
from course.runtime import frontend

_ALL = "all words"


def attention(
    encoder: Encoder, sentence: str, *, layer: int = 1, head: int = 1, query: str = ""
) -> None:
    """Show where a head looks, and the five best words for every blank.

    Args:
        encoder: as ``course.models.load`` gives it.
        sentence: to begin with; ``___`` is a blank.
        layer, head: to begin with, counted from 1.
        query: only this word's lines, to begin with.

    Raises:
        ValueError: when the sentence is empty or too long, or there is no such layer, head or word.
    """
    from IPython.display import display

    reading = encoder.read(sentence)
    picture = picture_of(reading, layer, head, query)
    if frontend.shows_widgets():
        _show_controls(encoder, sentence, layer, head, query)
    elif not frontend.is_graded():
        display(picture)
        if BLANK in reading.tokens:
            print(filled(encoder, sentence))


def _show_controls(encoder: Encoder, sentence: str, layer: int, head: int, query: str) -> None:
    """Show the controls and the picture, which follows them."""
    import ipywidgets as widgets
    from IPython.display import display

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
