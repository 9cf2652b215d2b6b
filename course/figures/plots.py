"""Pictures of the lessons: curves, training histories, bars, matrices and attention heat maps.

Every function returns a ``matplotlib.figure.Figure``. A notebook shows it when it is a cell's last
value and ``%matplotlib inline`` ran before, and keeps in words what it shows, as its alternative
text. Colours are legible without colour vision: viridis for weights, and lines that differ in
marker and dash as well as in colour.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from selfcheck.heat_maps import WIDTH, aspect, grid, label_axis


class DescribedFigure(Figure):
    """A figure that can be told to somebody who does not see it."""

    def words(self) -> str:
        """Describe a figure: for each panel its title, its axes, and what its numbers show."""
        title = self.get_suptitle()
        panels = [ax for ax in self.axes if ax.get_label() != "<colorbar>"]
        # Neighbours share the labels of the outer ones.
        across = next(filter(None, (ax.get_xlabel() for ax in panels)), "column")
        up = next(filter(None, (ax.get_ylabel() for ax in panels)), "row")
        told = [_words(ax, ax.get_xlabel() or across, ax.get_ylabel() or up) for ax in panels]
        head = title if not title or title[-1] in ".?!" else f"{title}."
        # Dollars enclose formulas, which matplotlib draws.
        return " ".join(filter(None, [head, *told])).replace("$", "")

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """No data, since IPython draws the PNG itself; the words are its alternative text."""
        return {}, {"image/png": {"alt": self.words()}}


def _words(ax: Axes, across: str, up: str) -> str:
    """A panel in a sentence, with what stands along its axes."""
    title = f" {ax.get_title()}".replace("\n", " ") if ax.get_title() else ""
    if ax.images:
        shown = np.ma.masked_invalid(ax.images[0].get_array())
        rows, columns = shown.shape
        return (
            f"Heat map{title}: {rows} × {columns} numbers from {shown.min():.3g} to "
            f"{shown.max():.3g}, {up} by {across}. Largest in each row: {_largest(ax, shown)}."
        )
    bars = [each for each in ax.containers if isinstance(each, BarContainer)]
    if bars:
        names = (label.get_text() for label in ax.get_yticklabels())
        pairs = zip(names, bars[0].datavalues, strict=True)
        each = ", ".join(f"{name} {value:.3g}" for name, value in pairs)
        return f"Bars{title}: {across} by {up}. {each}."
    named = [line for line in ax.get_lines() if not line.get_label().startswith("_")]
    told = "; ".join(
        # A mark across the panel says all in its label.
        line.get_label()
        if np.ptp(line.get_xdata()) == 0 and len(line.get_xdata()) > 1
        else f"{line.get_label()} {_course(line.get_ydata())}"
        for line in named
    )
    # A panel's only line needs no name.
    told = told or "; ".join(_course(line.get_ydata()) for line in ax.get_lines())
    return f"Lines{title}: {up} by {across}. {told}."


def _largest(ax: Axes, shown: np.ma.MaskedArray) -> str:
    """The columns that hold the largest number of each row, by name."""
    # The formatters know the names of inner panels, too, which aren't drawn.
    row_name, column_name = ax.yaxis.get_major_formatter(), ax.xaxis.get_major_formatter()
    told = []
    for row, values in enumerate(shown):
        if values.count():
            best = np.isclose(values.filled(np.nan), values.max())
            names = ", ".join(column_name(place) for place in np.flatnonzero(best).tolist())
            names = "all" if len(best) > 1 and best.all() else names
            told.append(f"{row_name(row)}: {names} ({values.max():.3g})")
    return "; ".join(told)


def _course(values: Any) -> str:
    """How a line begins and ends, and its extremes where these lie between."""
    values = np.asarray(values, float)
    first, last = (f"{value:.3g}" for value in values[[0, -1]])
    told = f"from {first} to {last}"
    if values.min() < min(values[0], values[-1]):
        told += f", at least {values.min():.3g}"
    if values.max() > max(values[0], values[-1]):
        told += f", at most {values.max():.3g}"
    return told


# The first is dark, the second light: the two are told apart in grey, too.
_LINES = (
    {"color": "#00204d", "marker": "o", "linestyle": "-"},
    {"color": "#d55e00", "marker": "s", "linestyle": "--"},
    {"color": "#009e73", "marker": "^", "linestyle": "-."},
    {"color": "#7f7f7f", "marker": "D", "linestyle": ":"},
)

_BELOW = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2)}
"""Where a legend is that has no room among the lines."""

_MARKED = 50
"""Points of a line: of more than these, markers would cover it."""

_NAMES = (
    *_LINES,
    {"color": "#8a5a9e", "marker": "v", "linestyle": "-"},
    {"color": "#0a5fa8", "marker": "P", "linestyle": "--"},
    {"color": "#7a6a00", "marker": "X", "linestyle": "-."},
)


def curves(
    x: Sequence[float],
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    x_label: str,
    title: str = "",
    log_x: bool = False,
    log_y: bool | Collection[str] = False,
    y_base: int = 2,
    share_y: bool = False,
    y_range: tuple[float, float] | None = None,
    level: tuple[str, float] | None = None,
    legend_below: bool = False,
    ticks: Mapping[float, str] | None = None,
    errors: Mapping[str, Sequence[float]] | None = None,
) -> Figure:
    """Draw several quantities against the same x, one panel a quantity.

    Args:
        x: the values on the horizontal axis (points,).
        panels: by quantity (the label of the panel's vertical axis, with its unit), the lines: by
            name, one value per point. Of several runs (points, runs), the line shows the mean, and
            each run is a dot, a little beside those of other lines. At most four lines per panel,
            and seven names in all, each with a colour of its own.
        x_label: what x is, with its unit.
        title: of the figure.
        log_x: whether the horizontal axes are logarithmic, to base 2.
        log_y: whether the vertical axes are logarithmic; or for which quantities.
        y_base: of the logarithms: what a tick is times the one below.
        share_y: whether all panels have the same vertical scale, so that they can be compared.
        y_range: lowest and highest value of all vertical axes, for figures that are compared.
        level: a name and a value, drawn across every panel: such as what guessing gives.
        legend_below: whether legends are below the panels, where lines leave no room in them.
        ticks: what is written at which x, in place of numbers.
        errors: by the name of a line, half the length of the bar at each of its points (points,).

    Returns:
        A figure with one panel a quantity, side by side.

    Raises:
        ValueError: when a line has another number of points than x, or there are too many lines.

    Example:
        >>> figure = curves([1, 2, 4], {"cost (s)": {"naive": [1, 4, 16]}}, x_label="length")
        >>> figure.axes[0].get_ylabel()
        'cost (s)'
    """
    names = dict.fromkeys(name for lines in panels.values() for name in lines)
    if len(names) > len(_NAMES):
        raise ValueError(
            f"at most {len(_NAMES)} names can have a colour of their own. Received: {len(names)}"
        )
    styles = dict(zip(names, _NAMES, strict=False))
    below = max(map(len, panels.values())) + bool(level) if legend_below else 0
    figure = DescribedFigure(figsize=(WIDTH, 3.4 + 0.22 * below), layout="constrained")
    for ax, (quantity, lines) in zip(
        np.atleast_1d(figure.subplots(1, len(panels), sharey=share_y)), panels.items(), strict=True
    ):
        if len(lines) > len(_LINES):
            raise ValueError(
                f"at most {len(_LINES)} lines can be told apart in a panel. "
                f"Received: {len(lines)} for {quantity!r}; use more panels"
            )
        for number, (name, values) in enumerate(lines.items()):
            style = styles[name]
            if len(values) != len(x):
                raise ValueError(
                    f"every line needs one value for each of the {len(x)} values of x. "
                    f"Received: {len(values)} for {name!r}"
                )
            runs, at = np.asarray(values, float), np.asarray(x, float)
            if runs.ndim == 2:
                beside = number - (len(lines) - 1) / 2
                at = at * 1.04**beside if log_x else at + 0.01 * np.ptp(at) * beside
                dots = {"s": 10, "color": style["color"], "alpha": 0.5, "zorder": 3}
                ax.scatter(np.repeat(at, runs.shape[1]), runs.ravel(), **dots)
                runs = runs.mean(axis=1)
            marker = style["marker"] if len(x) <= _MARKED else ""
            ax.plot(at, runs, label=name, **(style | {"marker": marker}))
            if errors and name in errors:
                bars = {"fmt": "none", "ecolor": style["color"], "elinewidth": 1, "capsize": 3}
                ax.errorbar(at, runs, errors[name], **bars)
        if level:
            ax.axhline(level[1], color="#7f7f7f", linewidth=1, zorder=0, label=level[0])
        if y_range:
            ax.set_ylim(*y_range)
        if log_x:
            ax.set_xscale("log", base=2)
            ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        if log_y is True or (log_y and quantity in log_y):
            ax.set_yscale("log", base=y_base)
            ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        if ticks:
            ax.set_xticks(list(ticks), list(ticks.values()))
        ax.set_xlabel(x_label)
        ax.set_ylabel(quantity)
        ax.grid(alpha=0.3)
        if legend_below:
            ax.legend(**_BELOW)
        else:
            ax.legend()
    figure.suptitle(title)
    return figure


_T_QUANTILES = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
"""Of a t distribution with 1 to 9 degrees of freedom: 95 % of it are within so many standard
errors."""


def interval(runs: Sequence[float]) -> tuple[float, float]:
    """A mean and half the length of its 95 % interval, of a few independent runs.

    Args:
        runs: 2 to 10 numbers.

    Example:
        >>> mean, half = interval([0.5, 0.7])
        >>> round(mean, 3), round(half, 3)
        (0.6, 1.271)

    Reference: Student, "The Probable Error of a Mean" (1908).
    """
    values = np.asarray(runs, float)
    error = values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(_T_QUANTILES[len(values) - 2] * error)


def by_labels(
    sizes: Sequence[int],
    methods: Mapping[str, Any],
    *,
    title: str = "",
    level: tuple[str, float] | None = None,
    names: Sequence[str] = (),
) -> Figure:
    """Draw how accurate methods are, by the number of labelled texts that they learn from.

    Args:
        sizes: numbers of labelled texts.
        methods: by name, accuracies (sizes, draws), of 2 to 10 draws.
        title: of the figure.
        level: a name and a value, drawn across: such as what guessing gives.
        names: of the methods of all figures that are compared, so that each looks the same in all;
            those of this figure when left out. At most seven.

    Returns:
        A figure with the mean of the draws and its 95 % interval.

    Raises:
        ValueError: for more methods than can be told apart.
    """
    names = names or list(methods)
    if len(names) > len(_NAMES):
        raise ValueError(f"at most {len(_NAMES)} methods can be told apart. Received: {len(names)}")
    styles = dict(zip(names, _NAMES, strict=False))
    figure = DescribedFigure(figsize=(WIDTH, 4.6), layout="constrained")
    ax = figure.subplots()
    for number, (name, runs) in enumerate(methods.items()):
        style = styles[name]
        means, halves = np.transpose([interval(draws) for draws in np.asarray(runs, float)])
        # Beside each other, or the intervals would cover each other.
        at = np.asarray(sizes, float) * 1.025 ** (number - (len(methods) - 1) / 2)
        ax.plot(at, means, label=name, **style)
        ax.errorbar(at, means, halves, fmt="none", ecolor=style["color"], elinewidth=1, capsize=2)
    if level:
        ax.axhline(level[1], color="#7f7f7f", linewidth=1, zorder=0, label=level[0])
    ax.set_xscale("log", base=2)
    ax.set_xticks(list(sizes), [f"{size:g}" for size in sizes])
    ax.minorticks_off()
    ax.set_xlabel("labelled texts")
    ax.set_ylabel("test accuracy")
    ax.grid(alpha=0.3)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.suptitle(title)
    return figure


def differences(
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    y_label: str,
    title: str = "",
    apart: Collection[str] = (),
) -> Figure:
    """Draw what changes make of a score, run by run, around a line at 0.

    Args:
        panels: by title, the changes: by name, one difference per run (runs,).
        y_label: what differs from what.
        title: of the figure.
        apart: names of changes so large that they'd squeeze the others together: they get narrow
            panels with a scale of their own.

    Returns:
        A figure with the panels side by side, all on one scale but those of ``apart``, which share
        another one. Each run is a dot, the runs of a change in their order; a thin line is their
        range, and a short thick one their mean.
    """
    parts = [
        (f"{name},\nown scale" if own else name, own, dict(chosen))
        for name, changes in panels.items()
        for own, chosen in (
            (False, [each for each in changes.items() if each[0] not in apart]),
            (True, [each for each in changes.items() if each[0] in apart]),
        )
        if chosen
    ]
    figure = DescribedFigure(figsize=(WIDTH, 3.8), layout="constrained")
    widths = [max(len(changes), 1.4) for *_, changes in parts]
    axes = figure.subplots(1, len(parts), squeeze=False, width_ratios=widths)[0]
    first: dict[bool, Axes] = {}
    for ax, (name, own, changes) in zip(axes, parts, strict=True):
        if own in first:
            ax.sharey(first[own])
        first.setdefault(own, ax)
        ax.axhline(0, color="#7f7f7f", linewidth=1, zorder=0, label="_zero")
        for place, (change, given) in enumerate(changes.items()):
            runs, colour = np.asarray(given, float), _LINES[0]["color"]
            low, high, mean = runs.min(), runs.max(), runs.mean()
            told = f"{change}: {low:+.3f} to {high:+.3f}, mean {mean:+.3f}"
            ax.plot([place] * 2, [low, high], color=colour, alpha=0.5, linewidth=1, label=told)
            level = {"color": _LINES[1]["color"], "linewidth": 2, "label": "_mean"}
            ax.plot([place - 0.3, place + 0.3], [mean] * 2, **level)
            beside = np.linspace(-0.15, 0.15, len(runs)) if len(runs) > 1 else [0.0]
            ax.scatter(place + np.asarray(beside), runs, s=16, color=colour, zorder=3)
        ax.set_xticks(range(len(changes)), list(changes), rotation=40, ha="right")
        ax.set_xlim(-0.6, len(changes) - 0.4)
        ax.set_title(name, fontsize="small" if own else "medium")
        ax.grid(alpha=0.3, axis="y")
        ax.yaxis.set_major_formatter(StrMethodFormatter("{x:+.3f}"))
        ax.tick_params(axis="y", labelsize="small")
    axes[0].set_ylabel(y_label)
    figure.suptitle(title)
    return figure


def top_words(
    panels: Mapping[str, Mapping[str, float]],
    *,
    title: str = "",
    most: int = 10,
    grey: Collection[str] = (),
) -> Figure:
    """Draw the words with the largest numbers as horizontal bars, the largest on top.

    Args:
        panels: by quantity (the label of the panel's horizontal axis), a number per word.
        title: of the figure.
        most: how many words a panel shows. Of equal numbers, the first ones in ``panels``.
        grey: words whose names and bars are grey.

    Returns:
        A figure with one panel per quantity, side by side, each with words of its own.

    Example:
        >>> figure = top_words({"count": {"the": 3, "cat": 1, "a": 2}}, most=2)
        >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
        ['the', 'a']
    """
    figure = DescribedFigure(figsize=(WIDTH, 1.2 + 0.25 * most), layout="constrained")
    for ax, (quantity, numbers) in zip(
        np.atleast_1d(figure.subplots(1, len(panels))), panels.items(), strict=True
    ):
        words = sorted(numbers, key=lambda word: -numbers[word])[:most]
        plain = np.array([word not in grey for word in words])
        colours = np.where(plain, _LINES[0]["color"], "#a6a6a6")
        ax.barh(range(len(words)), [numbers[word] for word in words], color=colours)
        label_axis(ax, words, plain, "y")
        ax.invert_yaxis()
        ax.set_xlabel(quantity)
        ax.set_ylabel("word")
        ax.grid(alpha=0.3, axis="x")
        ax.set_axisbelow(True)
    figure.suptitle(title)
    return figure


def training_history(
    history: Mapping[str, Sequence[float]],
    *,
    title: str = "Training history",
    best_epoch: int | None = None,
    learning_rates: Sequence[float] = (),
) -> Figure:
    """Draw loss and accuracy of each epoch and mark the best epoch.

    Args:
        history: ``model.fit(...).history``: by metric, one value an epoch; ``val_`` before a name
            marks the validation data's.
        title: of the figure.
        best_epoch: the epoch whose weights training kept, counted from 1. When left out, the one
            with the lowest validation loss.
        learning_rates: the rate used at each step, (steps,). They get a panel of their own, and
            then all panels begin at epoch 0.

    Returns:
        A figure with one panel a metric, training beside validation, and one for the rates.

    Raises:
        ValueError: when the history holds no validation loss, or no epoch.

    Example:
        >>> history = {"loss": [0.9, 0.4, 0.2], "val_loss": [0.8, 0.5, 0.6]}
        >>> figure = training_history(history)
        >>> [line.get_label() for line in figure.axes[0].lines]
        ['training', 'validation', 'best epoch: 2']
    """
    if not len(history.get("val_loss", ())):
        raise ValueError(
            f"the history must hold 'val_loss', one value an epoch. Received: {list(history)}; "
            "give fit() validation_data"
        )
    best = best_epoch or np.argmin(history["val_loss"]) + 1
    metrics = [name for name in history if not name.startswith("val_") and name != "learning_rate"]
    metrics.sort(key=lambda name: "loss" not in name)  # the loss first, whatever the order
    figure = DescribedFigure(figsize=(WIDTH, 4.0), layout="constrained")
    panels = np.atleast_1d(figure.subplots(1, len(metrics) + bool(len(learning_rates))))
    for ax, metric in zip(panels, metrics, strict=False):
        for name, key, style in zip(
            ("training", "validation"), (metric, f"val_{metric}"), _LINES, strict=False
        ):
            if key in history:
                ax.plot(np.arange(1, len(history[key]) + 1), history[key], label=name, **style)
        ax.axvline(best, color="#7f7f7f", linestyle=":", label=f"best epoch: {best}")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        ax.set_xlabel("epoch")
        ax.set_ylabel("loss (nats)" if "loss" in metric else f"{metric} (share of the samples)")
        ax.grid(alpha=0.3)
        ax.legend(**_BELOW)
    if len(learning_rates):
        epochs = len(history["val_loss"])
        ax = panels[-1]
        # A step is plotted within its epoch: the last step of epoch 1 is at 1, as is its loss.
        steps = np.arange(1, len(learning_rates) + 1) * epochs / len(learning_rates)
        ax.plot(steps, learning_rates, color=_LINES[0]["color"])
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        ax.set_xlabel("epoch")
        ax.set_ylabel("learning rate used")
        ax.grid(alpha=0.3)
        for ax in panels:
            ax.set_xlim(-0.05 * epochs, 1.05 * epochs)
    figure.suptitle(title)
    return figure


def attention_heatmaps(
    weights: Any,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    *,
    mask: Any = None,
    titles: Sequence[str] | None = None,
    title: str = "",
    numbers: bool = False,
    axis_labels: tuple[str, str] = ("query token", "key token"),
) -> Figure:
    """Draw attention weights, one panel a head, all on one colour scale.

    Args:
        weights: (T, S) or (heads, T, S): one row per query, one column per key.
        query_tokens: labels of the T rows.
        key_tokens: labels of the S columns; the query tokens when left out.
        mask: boolean (S,), True for a token, False for padding. Padding is hatched and its label
            grey; when the key tokens are left out, so are the rows of padded queries.
        titles: of the panels; "head 0", "head 1" and so on when left out.
        title: of the figure.
        numbers: whether to write the weights into their cells.
        axis_labels: what a row is and what a column is.

    Returns:
        A figure; its panels share a scale from 0 to the largest weight of all heads.

    Raises:
        ValueError: when the weights are not of this shape, or labels or mask do not fit them.

    Example:
        >>> figure = attention_heatmaps([[0.9, 0.1], [0.5, 0.5]], ["good", "day"])
        >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
        ['good', 'day']
    """
    weights = np.asarray(weights, dtype=float)
    to_itself = key_tokens is None
    key_tokens = query_tokens if key_tokens is None else key_tokens
    mask = np.ones(len(key_tokens), bool) if mask is None else np.asarray(mask, dtype=bool)
    heads = weights[np.newaxis] if weights.ndim == 2 else weights
    _fit_together(heads, weights.shape, query_tokens, key_tokens, mask, titles)
    if titles is None:
        titles = [f"head {head}" for head in range(len(heads))] if weights.ndim == 3 else [""]

    figure, axes = grid(len(heads), len(query_tokens), len(key_tokens), DescribedFigure)
    # At least a hundredth, so that weights of 0 alone still make a scale.
    largest = max(float(heads.max()), 0.01)
    for ax, head, name in zip(axes, heads, titles, strict=True):
        image = ax.imshow(head, cmap="viridis", vmin=0.0, vmax=largest, aspect=aspect(head))
        ax.set_title(name)
        ax.set_xlabel(axis_labels[1])
        ax.set_ylabel(axis_labels[0])
        label_axis(ax, query_tokens, mask if to_itself else np.ones(len(query_tokens), bool), "y")
        label_axis(ax, key_tokens, mask, "x")
        _hatch(ax, mask, to_itself)
        if numbers:
            _write_numbers(ax, head, largest)
        ax.label_outer()
    figure.colorbar(image, ax=axes, label="attention weight")
    figure.suptitle(title)
    return figure


def matrix_heatmaps(
    panels: Mapping[str, Any],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    quantity: str,
    axis_labels: tuple[str, str],
    title: str = "",
    decimals: int = 2,
) -> Figure:
    """Draw small matrices with their numbers, all on one colour scale.

    Args:
        panels: by title, the matrices (rows, columns). No number is negative.
        row_labels: of the rows of every matrix.
        column_labels: of the columns of every matrix.
        quantity: what the numbers are, with their unit: the label of the colour scale.
        axis_labels: what a row is and what a column is.
        title: of the figure.
        decimals: how many are written.

    Returns:
        A figure; its panels share a scale from 0 to the largest number of all.

    Raises:
        ValueError: when a matrix does not fit the labels, or holds a negative number.

    Example:
        >>> figure = matrix_heatmaps(
        ...     {"counts": [[1, 0], [0, 2]]},
        ...     ["first", "second"],
        ...     ["day", "good"],
        ...     quantity="count",
        ...     axis_labels=("document", "word"),
        ... )
        >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
        ['first', 'second']
    """
    matrices = {name: np.asarray(matrix, dtype=float) for name, matrix in panels.items()}
    for name, matrix in matrices.items():
        if matrix.shape != (len(row_labels), len(column_labels)) or (matrix < 0).any():
            raise ValueError(
                "every matrix needs one row a row label, one column a column label and no "
                f"negative number. Received: {name!r} of shape {matrix.shape}, "
                f"{len(row_labels)} row labels, {len(column_labels)} column labels"
            )
    figure, axes = grid(len(matrices), len(row_labels), len(column_labels), DescribedFigure)
    largest = max(0.01, *(float(matrix.max()) for matrix in matrices.values()))
    for ax, (name, matrix) in zip(axes, matrices.items(), strict=True):
        image = ax.imshow(matrix, cmap="viridis", vmin=0.0, vmax=largest, aspect=aspect(matrix))
        ax.set_title(name)
        ax.set_xlabel(axis_labels[1])
        ax.set_ylabel(axis_labels[0])
        label_axis(ax, row_labels, np.ones(len(row_labels), bool), "y")
        label_axis(ax, column_labels, np.ones(len(column_labels), bool), "x")
        _write_numbers(ax, matrix, largest, decimals)
        ax.label_outer()
    whole = MaxNLocator(integer=True) if decimals == 0 else None
    figure.colorbar(image, ax=axes, label=quantity, ticks=whole)
    figure.suptitle(title)
    return figure


def _fit_together(
    heads: np.ndarray,
    shape: tuple[int, ...],
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    mask: np.ndarray,
    titles: Sequence[str] | None,
) -> None:
    if heads.ndim != 3 or heads.shape[1:] != (len(query_tokens), len(key_tokens)):
        raise ValueError(
            "weights must be (T, S) or (heads, T, S), with one query token a row and one key "
            f"token a column. Received: weights of shape {shape}, {len(query_tokens)} query "
            f"tokens, {len(key_tokens)} key tokens; pick one sample of a batch with weights[0]"
        )
    if mask.shape != (len(key_tokens),):
        raise ValueError(
            f"mask must be (S,) = ({len(key_tokens)},), True for a token and False for padding. "
            f"Received: shape {mask.shape}"
        )
    if titles is not None and len(titles) != len(heads):
        raise ValueError(
            f"titles must name each of the {len(heads)} panels. Received: {list(titles)}"
        )


def _hatch(ax: Axes, mask: np.ndarray, rows_too: bool) -> None:
    """Mark padded columns (and rows), so that they aren't mistaken for words."""
    low, high = ax.get_ylim()
    left, right = ax.get_xlim()
    marks = {"fill": False, "hatch": "//", "edgecolor": "#a6a6a6", "linewidth": 0}
    for position in np.flatnonzero(~mask):
        ax.add_patch(Rectangle((position - 0.5, high), 1, low - high, **marks))
        if rows_too:
            ax.add_patch(Rectangle((left, position - 0.5), right - left, 1, **marks))


def _write_numbers(ax: Axes, head: np.ndarray, largest: float, decimals: int = 2) -> None:
    for (row, column), weight in np.ndenumerate(head):
        share = weight / largest
        ax.text(
            column,
            row,
            f"{weight:.{decimals}f}",
            ha="center",
            va="center",
            color="black" if share > 0.42 else "white",
            fontsize=9,
            # Over the hatching of padding, which would run through the digits.
            bbox={"facecolor": colormaps["viridis"](share), "edgecolor": "none", "pad": 1},
        )
