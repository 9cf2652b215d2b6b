"""The controls with which a guess is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
from IPython.display import display

from course.widgets.predict.prediction import Prediction

Keep = Callable[[Any], str]
"""Keeps a guess, and gives what to say about it."""


def show(prediction: Prediction, earlier: Any, keep: Keep) -> None:
    """Show the controls for a prediction.

    Args:
        prediction: what is asked.
        earlier: the guess that was made before, or None.
        keep: what becomes of a guess.
    """
    said = widgets.Label(_of_before(prediction, earlier))

    def take(guess: Any) -> None:
        said.value = keep(guess)

    make = {"number": _number, "place": _places}.get(prediction.kind, _choices)
    display(widgets.VBox([*make(prediction, earlier, take, said), said]))


def _of_before(prediction: Prediction, earlier: Any) -> str:
    if earlier is None or prediction.chosen(earlier) is None:
        return ""
    return f"Your earlier guess: {prediction.said(earlier)}. You can change it."


def _choices(
    prediction: Prediction, earlier: Any, take: Keep, said: widgets.Label
) -> list[widgets.Widget]:
    labels = [choice.label for choice in prediction.choices]
    radio = widgets.RadioButtons(
        options=labels,
        value=earlier if earlier in labels else None,
        layout=widgets.Layout(width="auto"),
    )
    radio.observe(lambda change: take(change["new"]), names="value")
    return [radio]


def _number(
    prediction: Prediction, earlier: Any, take: Keep, said: widgets.Label
) -> list[widgets.Widget]:
    known = earlier is not None and prediction.chosen(earlier) is not None
    field = widgets.Text(
        value=prediction.said(earlier) if known else "",
        placeholder="a number",
        layout=widgets.Layout(width="10em"),
    )
    button = widgets.Button(description="Keep my guess")

    def read(_: Any) -> None:
        typed = field.value.replace(",", ".").strip()
        try:
            guess = float(typed.removesuffix("%")) / (100 if typed.endswith("%") else 1)
        except ValueError:
            said.value = f"{field.value!r} isn't a number: write one such as 0.5."
            return
        if prediction.chosen(guess) is None:
            wanted = "a number from 0 to 1, or a percentage" if prediction.share else "a number"
            said.value = f"{field.value} isn't {wanted}: write one such as 0.5."
            return
        take(guess)

    button.on_click(read)
    return [widgets.HBox([field, button])]


def _places(
    prediction: Prediction, earlier: Any, take: Keep, said: widgets.Label
) -> list[widgets.Widget]:
    cells: dict[tuple[int, int], widgets.ToggleButton] = {}
    grid: list[widgets.Widget] = [widgets.Label("")]
    grid += [widgets.Label(column) for column in prediction.columns]

    def pressed(place: tuple[int, int]) -> Callable[[Any], None]:
        def press(change: Any) -> None:
            if not change["new"]:
                return
            for other, cell in cells.items():
                if other != place:
                    cell.value = False
            take(list(place))

        return press

    for row, row_label in enumerate(prediction.rows):
        grid.append(widgets.Label(row_label))
        for column, column_label in enumerate(prediction.columns):
            cell = widgets.ToggleButton(
                value=earlier == [row, column],
                tooltip=f"{row_label} → {column_label}",
                layout=widgets.Layout(width="3em"),
            )
            cell.observe(pressed((row, column)), names="value")
            cells[row, column] = cell
            grid.append(cell)
    columns = f"max-content repeat({len(prediction.columns)}, 4em)"
    layout = widgets.Layout(grid_template_columns=columns, width="max-content")
    return [widgets.GridBox(grid, layout=layout)]
