"""What is said of wrong outputs that no known mistake explains: facts, tried on right numbers."""

import ml_dtypes
import numpy as np
import pytest

from course import COURSE
from selfcheck import Case, Expected, Failure, Observation, responses
from selfcheck.aspects import numbers_agree
from selfcheck.diagnosis import diagnose
from selfcheck.diagnosis.functions import of_functions
from tests.support import taught

SEED = 5


def observed(name, change):
    """The right outputs of every case, changed."""
    exercise = COURSE.get(name)
    expected = taught.expected(exercise, SEED)
    return exercise, {
        case.name: Observation(
            case, expected[case.name], change(dict(expected[case.name].outputs), case)
        )
        for case in exercise.cases(SEED)
    }


def fact(name, change):
    """What is said of the right outputs of every case, changed."""
    return diagnose(*observed(name, change), COURSE.exception_causes)


def of_output(output, change):
    """Change one output, in the cases that have it."""
    return lambda outputs, case: (
        outputs | {name: change(value) for name, value in outputs.items() if name == output}
    )


def in_bfloat16(x):
    """As a student's process hands such a tensor over."""
    sent = responses.encode(x.astype(ml_dtypes.bfloat16))
    assert sent["dtype"] == "float32"
    return x.astype(ml_dtypes.bfloat16).astype("float32")


def test_right_outputs_have_nothing_to_be_said_of_them():
    assert fact("attention.scaled_dot_product_attention", lambda outputs, case: outputs) is None


@pytest.mark.parametrize(
    ("power", "said"),
    [(0.5, "√{d}, the root of d"), (-1, "1/{d}, and {d} is d"), (1, "{d}, which")],
)
def test_a_factor_is_named_after_the_size_that_it_comes_from(power, said):
    def scaled(outputs, case):
        return {"output": outputs["output"] * case.inputs["hidden"].shape[-1] ** power}

    exercise, seen = observed("attention.average_attention", scaled)
    d = seen["plain"].case.inputs["hidden"].shape[-1]
    relation = diagnose(exercise, seen)
    assert relation.name == "proportional"
    assert said.format(d=d) in relation.hint


def test_a_factor_that_no_size_explains_is_only_stated():
    relation = fact("attention.average_attention", of_output("output", lambda x: 1.234 * x))
    assert relation.name == "proportional"
    told = "`output` is 1.234 times the expected value everywhere."
    assert relation.hint == f"In the case “plain”, {told}"


def test_weights_tell_by_which_factor_their_logits_are_wrong():
    def colder(outputs, case):
        d_k = case.inputs["key"].shape[-1]
        weights = outputs["weights"] ** np.sqrt(d_k)
        total = np.maximum(weights.sum(-1, keepdims=True), 1e-30)  # 0 where all is padding
        return outputs | {"weights": weights / total}

    exercise, seen = observed("attention.scaled_dot_product_attention", colder)
    d_k = seen["plain"].case.inputs["key"].shape[-1]
    relation = diagnose(exercise, seen)
    assert relation.name == "logits_proportional"
    assert f"√{d_k}, the root of d_k" in relation.hint


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("sign", lambda x: -x, "opposite sign"),
        ("zeros", np.zeros_like, "0 everywhere"),
        ("offset", lambda x: x + 2, "off by 2 everywhere"),
        ("axes_moved", lambda x: x.T, "`encoding` are right, but its axes are (depth"),
        ("axis_of_one", lambda x: x[None], "one axis of size 1 too many. Its numbers are right"),
        ("axis_reduced", lambda x: x.sum(0), "“plain”, the axis length of `encoding` was summed"),
        ("axis_reduced", lambda x: x.mean(1), "the axis depth of `encoding` was averaged"),
        ("axis_missing", lambda x: x.std(0), "lacks the axis length"),
        ("reshaped", np.ravel, "only the shape is different"),
        ("reversed", lambda x: x[:, ::-1], "reversed along the axis depth"),
        (
            "shifted",
            lambda x: np.vstack([x[:1], x[:-1]]),
            "one place too late along the axis length",
        ),
        (
            "shifted",
            lambda x: np.vstack([x[1:], x[:1]]),
            "one place too early along the axis length",
        ),
        (
            "other_order",
            lambda x: x[:, [1, 0, *range(2, x.shape[1])]],
            "along the axis depth, but in",
        ),
        (
            "constant",
            lambda x: np.repeat(x[1:2], len(x), 0),
            "is constant along the axis length",
        ),
        ("half_precision", lambda x: x.astype(np.float16), "mixed precision switched on"),
        ("half_precision", lambda x: (x * (1 + 2e-3)).astype(np.float16), "right but for rounding"),
        ("half_precision", in_bfloat16, "half precision (16 bits)"),
        ("rounded", lambda x: np.round(x, 2), "rounded to 2 decimals"),
        ("rounded", np.trunc, "its decimals are cut off"),
        ("bounded", lambda x: np.minimum(x, 0.9), "no number is above 0.9"),
        ("bounded", lambda x: x.clip(-0.8, 0.9), "no number is below -0.8 or above 0.9"),
        ("function", np.abs, "without its signs"),
        ("function", lambda x: 1 - x, "1 minus the expected value"),
        ("function", np.square, "the square of"),
        ("function", np.exp, "the exponential of"),
        ("shuffled", lambda x: x.T.reshape(x.shape), "in the wrong places"),
        (
            "not_finite",
            lambda x: np.where(np.arange(len(x))[:, None] == 2, np.nan, x),
            "isn't finite at index 2 of the axis length",
        ),
        (
            "partly",
            lambda x: x + (np.arange(len(x)) == 1)[:, None] * x**2 * 3,
            "wrong only at index 1 of the axis length",
        ),
        ("nothing_returned", lambda x: None, "does the last line return"),
        ("not_alone", lambda x: [x, x > 0], "return it alone"),
    ],
)
def test_what_an_array_has_in_common_with_the_right_one_is_said(name, change, words):
    relation = fact("transformer.positional_encoding", of_output("encoding", change))
    assert (relation.name, words in relation.hint) == (name, True), relation


def test_one_of_two_results_is_missing_not_both():
    relation = fact("attention.scaled_dot_product_attention", of_output("weights", lambda x: None))
    assert relation.name == "output_missing"
    assert relation.hint.startswith("In the case “plain”, `weights` is missing")


@pytest.mark.parametrize(
    "message",
    ["too many values to unpack (expected 2)", "not enough values to unpack (expected 3, got 2)"],
)
def test_more_or_fewer_names_than_values_are_explained(message):
    relation = fact(
        "attention.scaled_dot_product_attention",
        lambda outputs, case: Failure("ValueError", message),
    )
    assert "names on its left" in relation.hint


def test_integers_whose_type_is_too_small_are_noticed():
    expected = np.array([3.0, 250.0, 256.0, 300.0, 700.0])
    relation = of_functions("counts", expected % 256, expected, 0.0)
    assert "`counts` is right up to 255" in relation.hint


def test_one_wrong_number_in_an_array_of_one_is_stated_without_its_place():
    said = "`parameters`: got 1,411, expected 1,151"
    observation = Observation(
        Case("all", {}),
        Expected({"parameters": np.array([1151])}, {"parameters": 0.5}),
        {"parameters": np.array([1411])},
    )
    assert numbers_agree("parameters")(observation) == said


def test_numbers_that_were_rounded_to_whole_ones_are_not_said_to_have_16_bits():
    exercise, seen = observed("transformer.positional_encoding", lambda outputs, case: outputs)
    right = 100 * seen["plain"].expected.outputs["encoding"]
    expected = Expected({"encoding": right}, {"encoding": 1e-4})
    rounded = Observation(seen["plain"].case, expected, {"encoding": np.round(right)})
    assert diagnose(exercise, {"plain": rounded}).name == "rounded"


def test_columns_in_another_order_are_noticed_also_where_some_are_equal():
    def reordered(outputs, case):
        counts = outputs["counts"]
        return outputs | {"counts": counts[:, np.roll(np.arange(counts.shape[1]), 1)]}

    relation = fact("preprocessing.bag_of_words", reordered)
    assert relation.name in {"other_order", "shifted"}, relation
    assert "along the axis vocabulary" in relation.hint


def test_rows_that_are_right_but_for_a_factor_each_are_noticed():
    growing = of_output("weights", lambda x: x * np.arange(1, x.shape[-2] + 1)[:, None])
    relation = fact("attention.scaled_dot_product_attention", growing)
    assert relation.name == "rows_proportional"
    assert (
        "along the axis keys is a multiple of the expected one: by factors from 1 to"
        in relation.hint
    )


def test_outputs_in_each_others_place_are_noticed():
    def swapped(outputs, case):
        return {"output": outputs["weights"], "weights": outputs["output"]}

    relation = fact("attention.scaled_dot_product_attention", swapped)
    assert relation.name == "swapped_outputs"
    assert "`output` and `weights` are right" in relation.hint


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("other_order", lambda words: words[::-1], "in the wrong order"),
        ("other_case", lambda words: [word.upper() for word in words], "upper and lower case"),
        ("other_spaces", lambda words: [f" {word}" for word in words], "except for spaces"),
        ("entries_missing", lambda words: words[1:], "lacks '"),
        ("entries_too_many", lambda words: [*words, "more"], "also contains 'more'"),
    ],
)
def test_what_words_have_in_common_with_the_right_ones_is_said(name, change, words):
    relation = fact("preprocessing.tokenize", of_output("tokens", change))
    assert (relation.name, words in relation.hint) == (name, True), relation


def test_a_number_that_is_one_off_is_said_to_be():
    relation = fact(
        "conv1d.conv1d_output_length", of_output("steps", lambda steps: np.asarray(steps + 1))
    )
    assert relation.hint == "In the case “plain”, `steps` is one more than expected."


def test_a_fact_names_the_case_that_it_is_true_of():
    """The output is wrong in another way in a later case."""

    def times(outputs, case):
        factor = {"plain": 1.0, "heads": 3.0}.get(case.name, 2.0)
        return outputs | {"output": factor * outputs["output"]}

    relation = fact("attention.scaled_dot_product_attention", times)
    assert relation.hint.startswith("In the case “heads”, `output` is 3 times")


def test_no_fact_is_told_of_what_only_the_exercise_has_a_name_for():
    def half(outputs, case):
        return outputs | {name: x / 2 for name, x in outputs.items() if name == "shares"}

    exercise, seen = observed("transformer.encoder_layer", half)
    assert any(aspect.examine(seen[case]) for aspect in exercise.aspects for case in aspect.cases)
    assert diagnose(exercise, seen) is None


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (Failure("TypeError", "f() missing 1 required positional argument: 'mask'"), "arguments"),
        (Failure("TypeError", "f() got an unexpected keyword argument 'mask'"), "arguments"),
        (
            Failure("InvalidArgumentError", "Incompatible shapes: [2,3,5] vs. [2,5,7]", 3),
            "don't fit",
        ),
        (Failure("ValueError", "operands could not be broadcast together with shapes"), "fit"),
        (
            Failure("TypeError", "Value passed to parameter 'x' has DataType int64 not in list of "
                    "allowed values: bfloat16, half, float32"), "cast",
        ),
        (Failure("OperatorNotAllowedInGraphError", "in user code:"), "compiled"),
        (Failure("NotImplementedError", "Cannot convert a symbolic tf.Tensor (add:0) to a numpy "
                 "array."), "compiled"),
        (Failure("TypeError", "Cannot convert 2.0 to EagerTensor of dtype int64"), "cast one"),
        (Failure("AttributeError", "'NoneType' object has no attribute 'shape'"), "return"),
        (Failure("AttributeError", "'Layer' object has no attribute 'query_linear'"), "no such"),
        (Failure("TypeError", "'NoneType' object is not subscriptable"), "return"),
        (Failure("ValueError", "Received an invalid value for argument `key_dim`, expected a "
                 "positive integer. Received: key_dim=0"), "order of your arguments"),
        (Failure("ValueError", "Cannot broadcast shape (2, 1, 5) to (2, 5)"), "don't fit"),
        (Failure("ValueError", "Computed output size would be negative. Received: `inputs shape=("
                 "None, 2, 3)`"), "longer than its input"),
        (Failure("AttributeError", "'list' object has no attribute 'lower'"), "one at a time"),
        (Failure("AttributeError", "'numpy.ndarray' object has no attribute 'decode'"), "a whole"),
        (Failure("AttributeError", "'numpy.ndarray' object has no attribute 'groupby'"), "no such"),
        (Failure("TypeError", "Cannot convert 1 to EagerTensor of dtype bool"), "cast"),
        (Failure("ValueError", "The truth value of an array with more than one element is "
                 "ambiguous. Use a.any() or a.all()"), "is not None"),
        (Failure("ValueError", "Found unknown categories ['timber'] in column 0"), "unknown word"),
        (Failure("ValueError", "Shapes used to initialize variables must be fully-defined (no "
                 "`None` dimensions). Received: shape=(None, 1)"), "no fixed length"),
        (Failure("RuntimeError", "In layer 'A', you forgot to call `super().__init__()` as the "
                 "first statement in the `__init__()` method. Go add it!"), "has to start with"),
        (Failure("InvalidArgumentError", "transpose expects a vector of size 4. But input(1) is a "
                 "vector of size 3 [Op:Transpose]"), "count its axes"),
        (Failure("InvalidArgumentError", "In[1] ndims must be >= 2: 1 [Op:BatchMatMulV2]"), "fit"),
        (Failure("NameError", "name 'tf' is not defined"), "import"),
        (Failure("ZeroDivisionError", "division by zero"), "divided by 0"),
        (Failure("IndexError", "list index out of range"), "out of range"),
        (Failure("IndexError", "index 5 is out of bounds for axis 0 with size 5"), "out of range"),
        (Failure("IndexError", "arrays used as indices must be of integer (or boolean) type"),
         "isn't a whole number"),
        (Failure("TypeError", "list indices must be integers or slices, not float"), "a whole"),
        (Failure("IndexError", "too many indices for array: array is 1-dimensional, but 2 were "
                 "indexed"), "count its axes"),
        (Failure("IndexError", "boolean index did not match indexed array along axis 0"), "fit"),
        (Failure("IndexError", "pop from empty list"), "list that is empty"),
    ],
)  # fmt: skip
def test_an_exception_gets_its_likely_cause(failure, words):
    relation = fact("attention.average_attention", lambda outputs, case: failure)
    assert relation.name == "exception"
    assert words in relation.hint


@pytest.mark.parametrize(
    ("kind", "message", "words"),
    [
        ("WrongReturn", "returned None; expected a model", "last line"),
        (
            "WrongWeights",
            "there are weights of shape (3,); expected (3, 4), in this order",
            "never called",
        ),
        (
            "EmptyVocabulary",
            "the layer doesn't know any words: it has to be adapted to the texts",
            "",
        ),
    ],
)
def test_something_else_that_came_back_gets_the_place_to_look_at(kind, message, words):
    failure = Failure(kind, message)
    relation = fact("attention.average_attention", lambda outputs, case: failure)
    assert (relation.name, words in relation.hint) == ("wrong_return", True)
    assert bool(relation.hint) == bool(words)


def test_an_exception_of_the_students_own_is_left_as_it_is():
    own = Failure("ValueError", "I have no idea yet")
    assert fact("attention.average_attention", lambda outputs, case: own) is None


def test_where_anything_finite_is_right_nothing_is_compared():
    name = "attention.scaled_dot_product_attention"
    exercise = COURSE.get(name)
    free = {case.name: case.free for case in exercise.cases(SEED)}

    def other(outputs, case):
        places = free[case.name].get("output", False)
        return outputs | {"output": np.where(places, 7.0, outputs["output"])}

    assert any(free.values())
    assert fact(name, other) is None


def test_sizes_in_an_exceptions_message_are_called_by_their_names():
    """Which sizes don't fit says more than that some don't."""
    exercise = COURSE.get("transformer.encoder_layer")
    (case, *_) = exercise.cases(SEED)
    ff_dim, size = len(case.inputs["expand_bias"]), case.inputs["inputs"].shape[-1]
    failure = Failure(
        "ValueError", f"Dimensions must be equal, but are {ff_dim} and {size}, 1000 at most."
    )
    relation = fact(exercise.name, lambda outputs, case: failure)
    assert relation.hint.endswith(f" Here ff_dim = {ff_dim}, embedding_dim = {size}.")


def test_a_function_that_changes_none_of_the_numbers_isnt_named():
    """Numbers a little off that are all positive aren't right without their signs."""
    expected = np.array([0.1, 0.2, 0.3, 0.4])
    assert of_functions("shares", expected * (1 + 2e-5), expected, 1e-7) is None


def test_a_missing_axis_is_looked_for_where_it_shows():
    """One document's rows laid end to end lack an axis of size 1; those of several don't."""
    relation = fact(
        "documents.aggregate_chunk_predictions",
        lambda outputs, case: outputs | {"predictions": outputs["predictions"].ravel()},
    )
    assert relation.name == "reshaped"
