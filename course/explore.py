"""Look inside a trained model: a sentence, a layer, a head, and what the model makes of a blank.

In JupyterLab, VS Code and Colab the controls can be moved; elsewhere there is a picture.
"""

from __future__ import annotations

from course import front_end
from course.attention_map import filled, picture_of
from course.models import Encoder
from course.models.words import BLANK


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
    if front_end.shows_widgets():
        from course.widgets import explorer

        explorer.show(encoder, sentence, layer, head, query)
    elif not front_end.is_graded():
        display(picture)
        if BLANK in reading.tokens:
            print(filled(encoder, sentence))
