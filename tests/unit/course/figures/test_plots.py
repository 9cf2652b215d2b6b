"""Pictures say what they show: labels, one colour scale for all heads, the best epoch."""

import warnings

import matplotlib.colors
import numpy as np
import pytest
import scipy.stats

from course.figures import plots

WEIGHTS = np.array([[[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]], [[0.4, 0.3, 0.3], [0.1, 0.1, 0.8]]])
QUERIES, KEYS = ["who", "acts"], ["the", "cat", "[pad]"]


def labels(ax, side):
    ticks = ax.get_xticklabels() if side == "x" else ax.get_yticklabels()
    return [tick.get_text() for tick in ticks]


def panels(figure):
    """The axes with a picture or lines, without colour scales."""
    return [ax for ax in figure.axes if ax.get_label() != "<colorbar>"]


def is_grey(colour):
    red, green, blue = matplotlib.colors.to_rgb(colour)
    return red == green == blue and 0 < red < 1


class TestAttentionHeatmaps:
    def test_every_head_is_drawn_on_one_colour_scale_from_zero_to_the_largest_weight(self):
        images = [ax.images[0] for ax in panels(plots.attention_heatmaps(WEIGHTS, QUERIES, KEYS))]
        assert [image.get_clim() for image in images] == [(0.0, 0.9)] * 2
        for image, head in zip(images, WEIGHTS, strict=True):
            np.testing.assert_array_equal(image.get_array(), head)

    def test_there_is_one_colour_bar_for_all_heads(self):
        figure = plots.attention_heatmaps(WEIGHTS, QUERIES, KEYS)
        assert len(figure.axes) == len(WEIGHTS) + 1
        assert figure.axes[-1].get_ylabel() == "attention weight"

    def test_rows_are_queries_and_columns_are_keys(self):
        ax = panels(plots.attention_heatmaps(WEIGHTS[0], QUERIES, KEYS))[0]
        assert labels(ax, "y") == QUERIES
        assert labels(ax, "x") == KEYS
        assert (ax.get_ylabel(), ax.get_xlabel()) == ("query token", "key token")
        # The first query on top, as in the array.
        assert ax.yaxis_inverted()

    def test_key_tokens_default_to_the_query_tokens(self):
        ax = panels(plots.attention_heatmaps(np.eye(2), QUERIES))[0]
        assert labels(ax, "x") == labels(ax, "y") == QUERIES

    def test_heads_are_named(self):
        figure = plots.attention_heatmaps(WEIGHTS, QUERIES, KEYS, title="Two heads")
        assert [ax.get_title() for ax in panels(figure)] == ["head 0", "head 1"]
        assert figure.get_suptitle() == "Two heads"
        named = plots.attention_heatmaps(WEIGHTS, QUERIES, KEYS, titles=["before", "after"])
        assert [ax.get_title() for ax in panels(named)] == ["before", "after"]

    def test_padded_keys_are_hatched_and_their_labels_grey(self):
        mask = [True, True, False]
        ax = panels(plots.attention_heatmaps(WEIGHTS[0], QUERIES, KEYS, mask=mask))[0]
        (patch,) = ax.patches
        assert patch.get_hatch()
        assert (patch.get_x(), patch.get_width()) == (1.5, 1)
        assert [is_grey(tick.get_color()) for tick in ax.get_xticklabels()] == [False, False, True]
        assert not any(is_grey(tick.get_color()) for tick in ax.get_yticklabels())

    def test_of_a_sequence_that_attends_to_itself_padded_queries_are_hatched_too(self):
        ax = panels(plots.attention_heatmaps(np.eye(2), QUERIES, mask=[True, False]))[0]
        assert sorted((patch.get_x(), patch.get_y()) for patch in ax.patches) == [
            (-0.5, 0.5),  # the row of the second query
            (0.5, -0.5),  # the column of the second key
        ]
        assert is_grey(ax.get_yticklabels()[1].get_color())

    def test_numbers_are_written_on_demand(self):
        plain, numbered = (
            panels(plots.attention_heatmaps(WEIGHTS[0], QUERIES, KEYS, numbers=numbers))[0]
            for numbers in (False, True)
        )
        assert not plain.texts
        written = ["0.90", "0.10", "0.00", "0.20", "0.30", "0.50"]
        assert [text.get_text() for text in numbered.texts] == written

    @pytest.mark.parametrize("heads", [1, 2, 3, 4, 8])
    def test_any_number_of_heads_fits(self, heads):
        figure = plots.attention_heatmaps(np.full((heads, 2, 2), 0.5), QUERIES)
        assert len(panels(figure)) == heads
        assert figure.get_figwidth() <= plots.WIDTH

    def test_a_long_article_is_drawn_at_the_width_of_a_notebook(self):
        tokens = [f"token{number}" for number in range(60)]
        figure = plots.attention_heatmaps(np.full((4, 60), 1 / 60), list("abcd"), tokens)
        assert figure.get_figwidth() <= plots.WIDTH
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            figure.draw_without_rendering()

    def test_a_token_with_dollar_signs_is_no_formula(self):
        figure = plots.attention_heatmaps(np.eye(2), [r"$5\frac$", "$"])
        figure.draw_without_rendering()

    def test_weights_may_be_a_tensor(self):
        from keras import ops

        image = panels(plots.attention_heatmaps(ops.eye(2), QUERIES))[0].images[0]
        np.testing.assert_array_equal(image.get_array(), np.eye(2))

    @pytest.mark.parametrize(
        ("weights", "options", "message"),
        [
            (WEIGHTS[0, 0], {}, r"Received: weights of shape \(3,\), 2 query tokens, 3 key tokens"),
            (WEIGHTS[None], {}, r"weights of shape \(1, 2, 2, 3\).*weights\[0\]"),
            (np.swapaxes(WEIGHTS, 1, 2), {}, r"weights of shape \(2, 3, 2\)"),
            (WEIGHTS, {"mask": [True, False]}, r"mask must be \(S,\) = \(3,\).*shape \(2,\)"),
            (WEIGHTS, {"titles": ["only one"]}, r"each of the 2 panels.*\['only one'\]"),
        ],
    )
    def test_what_does_not_fit_is_named(self, weights, options, message):
        with pytest.raises(ValueError, match=message):
            plots.attention_heatmaps(weights, QUERIES, KEYS, **options)


class TestMatrixHeatmaps:
    COUNTS = np.array([[2, 0, 1], [0, 4, 0]])

    def draw(self, panels, **options):
        options = {"quantity": "count", "axis_labels": ("document", "word")} | options
        return plots.matrix_heatmaps(panels, ["first", "second"], ["a", "cat", "sat"], **options)

    def test_all_matrices_share_a_scale_from_zero_to_the_largest_number_and_its_label(self):
        figure = self.draw({"raw": self.COUNTS, "halved": self.COUNTS / 2})
        drawn = panels(figure)
        assert [ax.get_title() for ax in drawn] == ["raw", "halved"]
        assert [ax.images[0].get_clim() for ax in drawn] == [(0.0, 4.0)] * 2
        np.testing.assert_array_equal(drawn[1].images[0].get_array(), self.COUNTS / 2)
        assert figure.axes[-1].get_ylabel() == "count"

    def test_rows_columns_and_axes_are_named(self):
        ax = panels(self.draw({"": self.COUNTS}))[0]
        assert labels(ax, "y") == ["first", "second"]
        assert labels(ax, "x") == ["a", "cat", "sat"]
        assert (ax.get_ylabel(), ax.get_xlabel()) == ("document", "word")

    def test_numbers_have_the_decimals_asked_for(self):
        ax = panels(self.draw({"": self.COUNTS}, decimals=0))[0]
        assert [text.get_text() for text in ax.texts] == ["2", "0", "1", "0", "4", "0"]

    def test_whole_numbers_have_a_scale_of_whole_numbers(self):
        ticks = self.draw({"": self.COUNTS / 2}, decimals=0).axes[-1].get_yticks()
        assert all(tick.is_integer() for tick in ticks)

    def test_a_matrix_of_zeros_is_drawn(self):
        assert panels(self.draw({"": 0 * self.COUNTS}))[0].images[0].get_clim() == (0.0, 0.01)

    @pytest.mark.parametrize("matrix", [[[1, 2, 3]], [1, 2, 3], [[1, 2, 3], [0, -1, 0]]])
    def test_what_does_not_fit_is_an_error_that_says_what_came(self, matrix):
        with pytest.raises(ValueError, match="Received: 'wrong' of shape"):
            self.draw({"wrong": matrix})


class TestTrainingHistory:
    HISTORY = {
        "accuracy": [0.5, 0.7, 0.9],
        "loss": [0.9, 0.5, 0.2],
        "val_accuracy": [0.6, 0.6, 0.7],
        "val_loss": [0.8, 0.5, 0.6],
    }

    def test_the_rates_used_stand_on_the_epochs_axis(self):
        history = {"loss": [2, 1], "val_loss": [2, 3]}
        plain = plots.training_history(history)
        figure = plots.training_history(history, learning_rates=[0.1, 0.2, 0.3, 0.4])
        assert len(figure.axes) == len(plain.axes) + 1
        ax = figure.axes[-1]
        x, y = ax.lines[0].get_data()
        assert list(x) == [0.5, 1, 1.5, 2]
        assert list(y) == [0.1, 0.2, 0.3, 0.4]
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("epoch", "learning rate used")

    def test_panels_beside_the_rates_used_have_the_same_epochs(self):
        figure = plots.training_history(self.HISTORY, learning_rates=[0.1] * 9)
        (limits,) = {ax.get_xlim() for ax in figure.axes}
        assert limits[0] < 0
        assert limits[1] > 3

    def test_loss_and_accuracy_have_a_panel_each_with_training_and_validation(self):
        figure = plots.training_history(self.HISTORY)
        assert [ax.get_ylabel() for ax in figure.axes] == [
            "loss (nats)",
            "accuracy (share of the samples)",
        ]
        for ax, metric in zip(figure.axes, ("loss", "accuracy"), strict=True):
            training, validation, _ = ax.lines
            assert ax.get_xlabel() == "epoch"
            assert list(training.get_xdata()) == [1, 2, 3]
            assert list(training.get_ydata()) == self.HISTORY[metric]
            assert list(validation.get_ydata()) == self.HISTORY[f"val_{metric}"]

    @pytest.mark.parametrize(("kept", "best"), [(None, 2), (3, 3)])
    def test_the_best_epoch_is_marked_in_every_panel(self, kept, best):
        for ax in plots.training_history(self.HISTORY, best_epoch=kept).axes:
            mark = ax.lines[-1]
            assert list(mark.get_xdata()) == [best, best]
            legend = [text.get_text() for text in ax.get_legend().get_texts()]
            assert legend == ["training", "validation", f"best epoch: {best}"]

    def test_the_two_curves_differ_in_more_than_colour(self):
        training, validation, _ = plots.training_history(self.HISTORY).axes[0].lines
        assert training.get_marker() != validation.get_marker()
        assert training.get_linestyle() != validation.get_linestyle()

    def test_epochs_are_whole_numbers_even_if_there_is_one(self):
        figure = plots.training_history({"loss": [0.7], "val_loss": [0.6]})
        figure.draw_without_rendering()
        assert all(tick == round(tick) for tick in figure.axes[0].get_xticks())

    def test_a_learning_rate_in_the_history_is_no_metric(self):
        history = self.HISTORY | {"learning_rate": [0.1, 0.1, 0.1]}
        assert len(plots.training_history(history).axes) == 2

    @pytest.mark.parametrize("history", [{"loss": [0.9]}, {}, {"loss": [], "val_loss": []}])
    def test_without_the_monitored_metric_the_error_says_what_to_do(self, history):
        with pytest.raises(ValueError, match=r"'val_loss'.*Received: .*validation_data"):
            plots.training_history(history)


class TestCurves:
    def test_each_quantity_has_a_panel_and_each_line_a_name(self):
        figure = plots.curves(
            [1, 2],
            {"cost (s)": {"naive": [1, 4], "clever": [1, 2]}, "memory (MB)": {"naive": [5, 6]}},
            x_label="length (tokens)",
            title="Costs",
        )
        assert [ax.get_ylabel() for ax in figure.axes] == ["cost (s)", "memory (MB)"]
        assert {ax.get_xlabel() for ax in figure.axes} == {"length (tokens)"}
        assert figure.get_suptitle() == "Costs"
        naive, clever = figure.axes[0].lines
        assert list(naive.get_ydata()) == [1, 4]
        assert naive.get_marker() != clever.get_marker()
        legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        assert legend == ["naive", "clever"]

    def test_many_points_have_no_markers(self):
        for count, marked in [(50, True), (51, False)]:
            line = plots.curves(range(count), {"y": {"line": range(count)}}, x_label="x").axes[0]
            assert (line.lines[0].get_marker() in ("", "None")) != marked

    def test_logarithmic_axes_show_plain_numbers(self):
        figure = plots.curves(
            [1, 4, 16], {"y": {"line": [1, 2, 4]}}, x_label="x", log_x=True, log_y=True
        )
        figure.draw_without_rendering()
        ax = figure.axes[0]
        assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
        assert {"4", "16"} <= set(labels(ax, "x"))
        assert {"2", "4"} <= set(labels(ax, "y"))

    def test_of_several_runs_the_line_is_the_mean_and_each_run_a_dot(self):
        runs = {"one": [[1, 3], [4, 8]], "two": [[1, 3], [4, 8]]}
        (ax,) = plots.curves([32, 64], {"y": runs}, x_label="x", log_x=True).axes
        one, two = ax.get_lines()
        assert one.get_ydata().tolist() == two.get_ydata().tolist() == [2, 6]
        assert (one.get_xdata() < two.get_xdata()).all()  # side by side
        assert [len(dots.get_offsets()) for dots in ax.collections] == [4, 4]

    def test_figures_that_are_compared_share_a_range_and_a_level(self):
        panels = {"y": {"one": [1, 2]}, "z": {"one": [7, 8]}}
        options = {"y_range": (0, 9), "level": ("guessing", 0.5)}
        for ax in plots.curves([1, 2], panels, x_label="x", **options).axes:
            assert ax.get_ylim() == (0, 9)
            assert ax.get_legend_handles_labels()[1] == ["one", "guessing"]
            assert set(ax.get_lines()[1].get_ydata()) == {0.5}

    def test_a_name_has_its_colour_in_every_panel_and_no_other_name_has_it(self):
        panels = {"y": {"one": [1], "two": [2]}, "z": {"three": [3], "one": [4]}}
        first, second = plots.curves([1], panels, x_label="x").axes
        colours = [line.get_color() for ax in (first, second) for line in ax.get_lines()]
        assert colours[3] == colours[0]
        assert len(set(colours[:3])) == 3

    def test_more_names_than_colours_are_refused(self):
        panels = {quantity: {f"{quantity}{n}": [1] for n in range(4)} for quantity in "yz"}
        with pytest.raises(ValueError, match=r"at most 7 names.*Received: 8"):
            plots.curves([1], panels, x_label="x")

    def test_ticks_have_words_and_points_have_bars(self):
        lines = {"all": [0.9, 0.8], "first": [0.5, 0.6]}
        options = {"ticks": {1: "one", 2: "two"}, "errors": {"all": [0.1, 0.2]}}
        (ax,) = plots.curves([1, 2], {"y": lines}, x_label="x", **options).axes
        assert labels(ax, "x") == ["one", "two"]
        (bars,) = ax.collections
        ends = [segment[:, 1].tolist() for segment in bars.get_segments()]
        np.testing.assert_allclose(ends, [[0.8, 1.0], [0.6, 1.0]])

    def test_some_of_the_quantities_can_be_logarithmic(self):
        panels = {"time (s)": {"line": [1, 2]}, "accuracy": {"line": [0.5, 0.6]}}
        figure = plots.curves([1, 4], panels, x_label="x", log_y=["time (s)"])
        assert [ax.get_yscale() for ax in figure.axes] == ["log", "linear"]

    def test_ticks_are_powers_of_the_base(self):
        lines = {"y": {"line": [0.01, 0.1, 1, 10]}}
        figure = plots.curves([1, 2, 3, 4], lines, x_label="x", log_y=True, y_base=10)
        figure.draw_without_rendering()
        assert {"0.01", "0.1", "1", "10"} <= set(labels(figure.axes[0], "y"))

    def test_a_legend_below_covers_nothing(self):
        lines = {"y": {"line": [1, 2]}}
        (ax,) = plots.curves([1, 2], lines, x_label="x", legend_below=True).axes
        ax.figure.draw_without_rendering()
        assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0

    def test_panels_that_are_to_be_compared_share_their_scale(self):
        panels = {"low": {"line": [0, 1]}, "high": {"line": [5, 9]}}
        own, shared = (
            [ax.get_ylim() for ax in plots.curves([1, 2], panels, x_label="x", share_y=share).axes]
            for share in (False, True)
        )
        assert own[0] != own[1]
        assert shared[0] == shared[1]
        assert shared[0][1] > 9

    def test_a_line_of_another_length_is_named(self):
        with pytest.raises(ValueError, match=r"3 values of x.*Received: 2 for 'short'"):
            plots.curves([1, 2, 3], {"y": {"short": [1, 2]}}, x_label="x")

    def test_more_lines_than_can_be_told_apart_are_refused(self):
        lines = {str(number): [1] for number in range(5)}
        with pytest.raises(ValueError, match="Received: 5 for 'y'"):
            plots.curves([1], {"y": lines}, x_label="x")


class TestWords:
    def test_heat_maps_say_their_size_and_range(self):
        words = plots.attention_heatmaps(WEIGHTS, QUERIES, KEYS, title="Two heads").words()
        assert words.startswith("Two heads. Heat map")
        assert "2 × 3 numbers from 0 to 0.9, query token by key token" in words
        assert "2 × 3 numbers from 0.1 to 0.8, query token by key token" in words

    def test_heat_maps_say_where_each_row_is_largest(self):
        words = plots.attention_heatmaps(WEIGHTS, QUERIES, KEYS).words()
        assert "Largest in each row: who: the (0.9); acts: [pad] (0.5)." in words
        assert "Largest in each row: who: the (0.4); acts: [pad] (0.8)." in words

    @pytest.mark.parametrize(
        ("row", "told"),
        [
            ([2, 0, 2], "first: the, [pad] (2)"),
            ([0, 0, 0], "first: all (0)"),
            ([np.nan, 1, 0], "first: cat (1)"),
        ],
    )
    def test_columns_that_are_equally_large_are_all_named(self, row, told):
        words = plots.matrix_heatmaps(
            {"": [row]}, ["first"], KEYS, quantity="count", axis_labels=("document", "word")
        ).words()
        assert words.endswith(f"Largest in each row: {told}.")

    def test_a_row_without_numbers_is_left_out(self):
        words = plots.attention_heatmaps([[np.nan, np.nan], [0.3, 0.7]], QUERIES).words()
        assert words.endswith("Largest in each row: acts: acts (0.7).")

    def test_lines_say_how_they_begin_and_end_and_their_extremes(self):
        panels = {"loss": {"training": [3, 2, 1], "validation": [3, 1.5, 2]}}
        words = plots.curves([1, 2, 3], panels, x_label="epoch").words()
        assert words == (
            "Lines: loss by epoch. training from 3 to 1; validation from 3 to 2, at least 1.5."
        )

    def test_the_best_epoch_is_a_mark_and_a_question_keeps_its_sign(self):
        history = {"loss": [2, 1], "val_loss": [1, 2]}
        words = plots.training_history(history, title="Enough?").words()
        assert words.startswith("Enough? Lines: loss (nats) by epoch. training from 2 to 1;")
        assert words.endswith("best epoch: 1.")

    def test_a_line_without_a_name_is_told_as_well(self):
        history = {"loss": [2, 1], "val_loss": [2, 1]}
        words = plots.training_history(history, learning_rates=[0.1, 0.3, 0.2]).words()
        assert words.endswith("Lines: learning rate used by epoch. from 0.1 to 0.2, at most 0.3.")

    def test_formulas_are_told_without_their_dollars(self):
        words = plots.curves([1, 2], {"spread": {"$d_k$": [1, 2]}}, x_label="$T$").words()
        assert words == "Lines: spread by T. d_k from 1 to 2."

    def test_they_are_the_alternative_text_in_a_notebook(self):
        from IPython.core.interactiveshell import InteractiveShell
        from matplotlib_inline.backend_inline import configure_inline_support

        shell = InteractiveShell()
        configure_inline_support(shell, "inline")
        figure = plots.curves([1, 2], {"loss": {"training": [2, 1]}}, x_label="epoch")
        data, metadata = shell.display_formatter.format(figure)
        assert "image/png" in data
        assert metadata["image/png"]["alt"] == figure.words()


class TestByLabels:
    RUNS = {"first": [[0.5, 0.7], [0.8, 0.9]], "second": [[0.2, 0.4], [0.6, 0.6]]}

    def test_each_method_has_its_means_and_intervals(self):
        (ax,) = panels(plots.by_labels([20, 40], self.RUNS, title="Few labels"))
        drawn = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
        np.testing.assert_allclose(drawn["first"], [0.6, 0.85])
        np.testing.assert_allclose(drawn["second"], [0.3, 0.6])
        low, high = np.transpose([segment[:, 1] for segment in ax.collections[0].get_segments()])
        # Of two draws the standard error is half their difference; the t quantile is 12.71.
        np.testing.assert_allclose((high - low) / 2, [12.71 * 0.1, 12.71 * 0.05])

    def test_says_in_words_what_it_shows(self):
        words = plots.by_labels([20, 40], self.RUNS, level=("a guess", 0.25)).words()
        assert "test accuracy by labelled texts" in words
        assert "first" in words and "a guess" in words

    def test_the_intervals_are_those_of_scipy(self):
        runs = np.random.RandomState(1).uniform(size=10)
        for count in range(2, 11):
            some = runs[:count]
            mean, half = plots.interval(some)
            low, high = scipy.stats.t.interval(0.95, count - 1, some.mean(), scipy.stats.sem(some))
            assert (mean - half, mean + half) == pytest.approx((low, high), abs=2e-3)

    def test_too_many_methods_are_refused(self):
        with pytest.raises(ValueError, match="at most 7 methods"):
            plots.by_labels([20], {str(number): [[0.1, 0.2]] for number in range(8)})

    def test_a_method_looks_the_same_in_all_figures(self):
        second = {"second": self.RUNS["second"]}
        figures = (
            plots.by_labels([20, 40], runs, names=list(self.RUNS)) for runs in (self.RUNS, second)
        )
        colours = []
        for figure in figures:
            (ax,) = panels(figure)
            colours.append({line.get_label(): line.get_color() for line in ax.get_lines()})
        assert colours[1]["second"] == colours[0]["second"] != colours[0]["first"]


class TestDifferences:
    PANELS = {
        "news": {"stems": [0.01, -0.02, 0.04], "pairs": [0.03, 0.03, 0.03]},
        "reviews": {"stems": [0.0, 0.0, 0.0], "pairs": [0.1, 0.2, 0.3]},
    }

    def test_every_run_is_a_dot_beside_a_line_at_zero_and_the_mean_a_line(self):
        ax = panels(plots.differences(self.PANELS, y_label="difference"))[0]
        stems = ax.collections[0].get_offsets()
        np.testing.assert_allclose(stems[:, 1], [0.01, -0.02, 0.04])
        assert len(set(stems[:, 0])) == 3
        drawn = {line.get_label(): line for line in ax.get_lines()}
        np.testing.assert_array_equal(drawn["_zero"].get_ydata(), [0, 0])
        means = [line.get_ydata() for line in ax.get_lines() if line.get_label() == "_mean"]
        np.testing.assert_allclose(means, [[0.01, 0.01], [0.03, 0.03]])
        assert labels(ax, "x") == ["stems", "pairs"]

    def test_all_panels_have_one_scale(self):
        figure = plots.differences(self.PANELS, y_label="difference", title="Steps")
        news, reviews = panels(figure)
        assert news.get_ylim() == reviews.get_ylim()
        assert [news.get_title(), reviews.get_title()] == ["news", "reviews"]
        assert (news.get_ylabel(), figure.get_suptitle()) == ("difference", "Steps")

    def test_changes_apart_have_a_scale_of_their_own(self):
        figure = plots.differences(self.PANELS, y_label="difference", apart=["pairs"])
        news, large, reviews, larger = panels(figure)
        assert [labels(ax, "x") for ax in (news, large)] == [["stems"], ["pairs"]]
        assert news.get_ylim() == reviews.get_ylim() != large.get_ylim() == larger.get_ylim()
        assert news.get_ylim()[1] < 0.05 < 0.3 < large.get_ylim()[1]
        assert "Lines reviews, own scale: " in figure.words()

    def test_says_in_words_what_it_shows(self):
        words = plots.differences(self.PANELS, y_label="difference").words()
        assert "stems: -0.020 to +0.040, mean +0.010" in words
        assert "pairs: +0.100 to +0.300, mean +0.200" in words


class TestTopWords:
    PANELS = {
        "count": {"cat": 1, "the": 3, "on": 2, "mat": 1},
        "weight": {"cat": 0.6, "the": 0.2, "on": 0.1, "mat": 0.7},
    }

    def test_each_panel_has_its_largest_words_from_the_top(self):
        figure = plots.top_words(self.PANELS, title="A mat", most=3)
        count, weight = panels(figure)
        assert labels(count, "y") == ["the", "on", "cat"]
        assert labels(weight, "y") == ["mat", "cat", "the"]
        assert [bar.get_width() for bar in count.patches] == [3, 2, 1]
        assert [bar.get_width() for bar in weight.patches] == [0.7, 0.6, 0.2]
        assert count.yaxis_inverted() and weight.yaxis_inverted()
        assert (count.get_xlabel(), weight.get_xlabel()) == ("count", "weight")
        assert figure.get_suptitle() == "A mat"

    def test_words_are_grey_on_request(self):
        (ax,) = panels(plots.top_words({"count": self.PANELS["count"]}, grey={"the", "on"}))
        assert [is_grey(bar.get_facecolor()) for bar in ax.patches] == [True, True, False, False]
        names = [is_grey(label.get_color()) for label in ax.get_yticklabels()]
        assert names == [True, True, False, False]

    def test_says_in_words_what_it_shows(self):
        words = plots.top_words(self.PANELS, title="A mat", most=2).words()
        assert words == (
            "A mat. Bars: count by word. the 3, on 2. Bars: weight by word. mat 0.7, cat 0.6."
        )
