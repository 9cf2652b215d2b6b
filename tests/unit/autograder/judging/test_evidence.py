"""What counts as an explanation: outputs that came back, were compared and agree."""

import re

import numpy as np
import pytest

from autograder.audit import pairs, trivial
from autograder.judging import solutions
from autograder.judging.judge import judge as judge_of
from autograder.judging.judge import response_of
from autograder.judging.keys import PART, SLIP, key_of
from autograder.judging.marking import DEFAULTS
from autograder.judging.mistakes import Earlier, OutputsByCase
from course import COURSE
from selfcheck import aspects, evidence, responses
from selfcheck.verdicts import LEAST_FOR_HALF, MOST_WITHOUT_WORK, observe
from tests.support import taught
from tests.support.taught import judge

SEED = 12
# Every kind of exercise: functions on text, on whole numbers and on arrays, layers, models.
KINDS = [
    "preprocessing.remove_stopwords",
    "preprocessing.tf_idf",
    "conv1d.conv1d_output_length",
    "attention.scaled_dot_product_attention",
    "transformer.warmup_schedule",
    "transformer.build_transformer_classifier",
    "fastformer.weighted_f1",
    "pretraining.paired_test",
]


def verdict_on(name, function, seed=SEED):
    exercise = COURSE.get(name)
    return judge(name, seed, responses.respond(exercise, function, exercise.cases(seed)))


def right_outputs(name, seed=SEED):
    expected = taught.expected(COURSE.get(name), seed)
    return {case: dict(entry.outputs) for case, entry in expected.items()}


@pytest.mark.parametrize("name", KINDS)
def test_an_answer_without_work_earns_a_fifth_at_most(name):
    earned = trivial.earned(COURSE, name)
    assert len(earned) > 15
    assert {what: percent for what, percent in earned.items() if percent > trivial.MOST} == {}


def test_a_text_that_a_known_mistake_fails_with_earns_nothing():
    known = [(name, made) for name in COURSE.names() for made in key_of(COURSE, name).mistakes]
    texts = [(name, text) for name, made in known for text in trivial.matching(made.failure)]
    assert len(texts) > 50
    for name, text in texts:
        failing = {case.name: None for case in COURSE.get(name).cases(SEED)}
        verdict = judge(name, SEED, response_of(name, failing, text))
        assert (verdict.percent, verdict.losses) == (0, ())


def test_zeros_of_another_width_are_not_words_of_earlier_calls():
    verdict = verdict_on("preprocessing.tf_idf", lambda documents: np.zeros((len(documents), 5)))
    assert verdict.percent <= MOST_WITHOUT_WORK
    assert verdict.mistakes == ()


def test_a_failure_everywhere_gets_its_hint_and_no_points():
    def attend(hidden, context):
        hidden, context = np.asarray(hidden), np.asarray(context)
        weights = np.exp(hidden @ context[..., None])[..., 0]
        return (weights * hidden).sum(axis=1)

    verdict = verdict_on("attention.average_attention", attend)
    assert verdict.mistakes == ("weights_without_an_axis",)
    assert verdict.percent == 0


def test_what_a_mistake_gets_wrong_must_be_there():
    name = "attention.scaled_dot_product_attention"
    made = key_of(COURSE, name).find("no_scaling")
    outputs = dict(OutputsByCase(made, solutions.cases(COURSE.get(name), SEED)))
    whole = judge(name, SEED, response_of(name, outputs))
    assert whole.mistakes == (made.name,)
    without = {case: {"weights": given["weights"]} for case, given in outputs.items()}
    verdict = judge(name, SEED, response_of(name, without))
    assert (verdict.mistakes, verdict.percent) == ((), 0)
    assert verdict.explanation.endswith("`output` couldn't be compared")


def test_right_outputs_that_do_not_depend_on_the_inputs_are_no_work():
    name = "transformer.build_transformer_classifier"
    expected = taught.expected(COURSE.get(name), SEED)
    assert all("rows" in expected[case].fixed for case in ("plain", "padding", "training"))
    outputs = right_outputs(name)
    for given in outputs.values():
        for output, value in given.items():
            if output in ("probabilities", "parameters"):
                given[output] = np.zeros_like(value)
    verdict = judge(name, SEED, response_of(name, outputs))
    assert verdict.held > MOST_WITHOUT_WORK == verdict.percent
    assert "at most 20 %" in verdict.to_html(maximum=4)


@pytest.mark.parametrize(
    ("name", "one", "two"),
    [
        # Neither of the two is on an answer sheet together with others.
        ("preprocessing.tf_idf", "idf_squared", "logarithm_of_the_count"),
        ("conv1d.conv1d", "kernel_reversed", "no_window_that_just_fits"),
        ("transformer.warmup_schedule", "divided_by_d_model", "one_step_ahead"),
        ("fastformer.fastformer", "key_scores_of_the_keys", "scaled_by_hidden_size"),
        ("pretraining.masked_language_loss", "one_if_less", "softmax_over_time"),
    ],
)
def test_two_mistakes_are_found_wherever_they_change_different_places(name, one, two):
    key = key_of(COURSE, name)
    both = key.find(one).joined(key.find(two))
    outputs = dict(OutputsByCase(both, solutions.cases(key.exercise, SEED)))
    verdict = judge(name, SEED, response_of(name, outputs))
    assert {*re.split(" and ", *verdict.mistakes)} == {one, two}
    assert verdict.percent == max(verdict.held, 100 - sum(loss.percent for loss in verdict.losses))


def test_three_mistakes_are_found():
    name = "preprocessing.tokenize"
    key = key_of(COURSE, name)
    names = ("hyphens_to_spaces", "line_breaks_in_capitals_left", "lower_case_forgotten")
    names = [made.name for made in key.mistakes if made.name in names]
    one, *others = (key.find(made) for made in names)
    for other in others:
        one = one.joined(other)
    outputs = dict(OutputsByCase(one, solutions.cases(key.exercise, SEED)))
    verdict = judge(name, SEED, response_of(name, outputs))
    assert {*re.split(" and ", *verdict.mistakes)} == set(names)


def test_pairs_of_known_mistakes_are_marked_as_two():
    marked = [both for name in KINDS[:4] for _, both in pairs.judge_pairs(COURSE, name)]
    assert len(marked) > 40
    assert sum(marked) / len(marked) >= pairs.LEAST


@pytest.mark.parametrize(
    ("name", "one", "two"),
    [
        ("conv1d.best_epoch", "highest_loss", "first_epoch_left_out"),  # the second epoch
        ("conv1d.conv1d", "relu_applied", "one_bias_for_all"),  # zeros
        ("pretraining.paired_test", "only_b_never_counted", "strictly_fewer_where_some_differ"),
    ],
)
def test_two_mistakes_that_leave_nothing_to_compute_explain_nothing(name, one, two):
    key = key_of(COURSE, name)
    both = key.find(one).joined(key.find(two))
    expected = solutions.expected(key.exercise, key.solution, SEED)
    random = np.random.RandomState(SEED)
    outputs = {
        case: {
            # Noise that no comparison sees.
            output: value
            + 0.3 * expected[case].tolerance[output] * random.uniform(size=value.shape)
            if expected[case].tolerance.get(output)
            else value
            for output, value in given.items()
        }
        for case, given in OutputsByCase(both, solutions.cases(key.exercise, SEED)).items()
    }
    verdict = judge(name, SEED, response_of(name, outputs))
    assert verdict.losses == ()
    assert verdict.percent <= MOST_WITHOUT_WORK


def test_a_list_that_holds_the_right_number_somewhere_is_not_another_form_of_it():
    name = "conv1d.receptive_field"
    outputs = right_outputs(name)
    for given in outputs.values():
        given["words"] = [float(given["words"]), "and why"]
    assert judge(name, SEED, response_of(name, outputs)).percent == LEAST_FOR_HALF
    for given in outputs.values():
        given["words"] = [float(number) for number in range(2000)]
    verdict = judge(name, SEED, response_of(name, outputs))
    assert verdict.percent <= MOST_WITHOUT_WORK


def test_one_result_that_was_guessed_does_not_lift_the_limit_of_the_others():
    name = "pretraining.paired_test"
    outputs = right_outputs(name)
    for case, given in outputs.items():
        if case not in ("b ahead", "equal counts", "no difference"):
            given["p_value"] = np.array(0.4321)
    verdict = judge(name, SEED, response_of(name, outputs))
    assert verdict.held > MOST_WITHOUT_WORK == verdict.percent


def test_an_answer_that_is_half_right_keeps_two_fifths():
    name = "attention.scaled_dot_product_attention"
    outputs = right_outputs(name)
    for given in outputs.values():
        given["output"] = 3 - given["output"]
    verdict = judge(name, SEED, response_of(name, outputs))
    assert verdict.mistakes == ()
    assert verdict.percent == max(verdict.held, LEAST_FOR_HALF)
    for given in outputs.values():
        given["weights"] = (3 * given["weights"]) % 1
    assert judge(name, SEED, response_of(name, outputs)).percent <= MOST_WITHOUT_WORK


@pytest.mark.parametrize(
    ("name", "output", "form"),
    [
        ("preprocessing.tf_idf", "weights", lambda x: np.round(x, 2)),
        ("attention.average_attention", "output", lambda x: 1.01 * x),
        ("transformer.positional_encoding", "encoding", lambda x: x.T),
        ("fastformer.additive_pooling", "output", lambda x: x.astype(np.float16)),
    ],
)
def test_the_right_result_in_another_form_keeps_two_fifths(name, output, form):
    outputs = right_outputs(name)
    for given in outputs.values():
        if output in given:
            given[output] = form(given[output])
    assert judge(name, SEED, response_of(name, outputs)).percent >= LEAST_FOR_HALF


def test_a_form_that_is_another_one_in_each_case_is_none():
    name = "attention.average_attention"
    outputs = right_outputs(name)
    for place, given in enumerate(outputs.values()):
        given["output"] = 3 * given["output"] if place % 2 else given["output"] ** 2
    assert judge(name, SEED, response_of(name, outputs)).percent <= MOST_WITHOUT_WORK


def test_an_empty_array_is_no_text_as_an_empty_list_is():
    name = "preprocessing.tokenize"
    outputs = right_outputs(name)
    for given in outputs.values():
        given["tokens"] = np.array(given["tokens"])
    assert any(not given["tokens"].size for given in outputs.values())
    assert judge(name, SEED, response_of(name, outputs)).percent == 100


def test_a_constant_an_input_and_nothing_are_no_computation():
    name = "preprocessing.remove_stopwords"
    exercise = COURSE.get(name)
    expected = taught.expected(exercise, SEED)

    def seen(kept):
        received = {
            case.name: dict(expected[case.name].outputs) | {"kept": kept(case)}
            for case in exercise.cases(SEED)
        }
        return {
            case
            for case, output in observe(exercise, SEED, received, expected).computed
            if output == "kept"
        }

    assert seen(lambda case: case.inputs["tokens"]) == set()
    assert seen(lambda case: ["a"]) == set()
    assert seen(lambda case: []) == set()
    assert seen(lambda case: None) == set()
    assert "plain" in seen(lambda case: case.inputs["tokens"][1:])


def test_what_is_kept_from_an_earlier_call_is_told_from_the_answer():
    kept = []

    def find_emails(text):
        kept.extend(re.findall(r"[\w.%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", text, re.ASCII))
        return kept

    verdict = verdict_on("preprocessing.find_emails", find_emails)
    assert verdict.mistakes == ("kept_between_calls",)
    assert verdict.percent == 90
    failed = [finding.seen for finding in verdict.findings if not finding.passed]
    assert failed == ["the result still has what an earlier call put into it"]


def test_an_earlier_mistake_never_stops_the_judge():
    """On top of it, the later solution may fail as nobody has foreseen."""
    earlier, name = key_of(COURSE, "preprocessing.bag_of_words"), "preprocessing.tf_idf"
    failing = {case.name: None for case in COURSE.get(name).cases(SEED)}
    paid = [Earlier(earlier, made) for made in earlier.mistakes]
    paid = [one for one in paid if one.reaches(key_of(COURSE, name))]
    assert "vocabulary_first" in [one.made.name for one in paid]
    for one in paid:
        assert judge_of(COURSE, name, SEED, response_of(name, failing), paid=[one]).percent == 0


def test_a_long_list_is_read_a_few_times_and_not_for_every_known_mistake(monkeypatch):
    name, count, reads = "attention.multi_head_self_attention", 2000, []
    as_array = aspects.as_array

    def counted(value):
        reads.append(isinstance(value, list) and len(value) == count)
        return as_array(value)

    for module in (aspects, evidence):
        monkeypatch.setattr(module, "as_array", counted)
    outputs = right_outputs(name)
    for given in outputs.values():
        given["output"] = [[1.5, 2.5]] * count
    assert not judge(name, SEED, response_of(name, outputs)).reason
    assert 0 < sum(reads) < 60 * len(outputs)


WITHOUT_WORK = {
    "conv1d.receptive_field": lambda kernel_sizes, strides=None: [1, *kernel_sizes][-1],
    "documents.aggregate_chunk_predictions": lambda probabilities, document_ids: np.full(
        (len(set(np.array(document_ids).tolist())), probabilities.shape[1]),
        1 / probabilities.shape[1],
    ),
    "attention.average_attention": lambda hidden, *_: hidden[:, 1],
    "fastformer.additive_pooling": lambda x, scores, mask=None: x[..., 1, :],
    "pretraining.mask_tokens": lambda ids, chances, *_: (chances, ids, chances),
}


@pytest.mark.parametrize("name", WITHOUT_WORK)
def test_a_number_or_a_place_of_an_input_is_no_work(name):
    exercise = COURSE.get(name)
    for seed in (101, 202, 303):
        response = responses.respond(exercise, WITHOUT_WORK[name], exercise.drawn(seed))
        assert judge(name, seed, response).percent <= 20


def test_the_length_of_a_word_doesnt_tell_whether_it_stays():
    name = "preprocessing.remove_stopwords"
    exercise = COURSE.get(name)

    def answer(tokens, stopwords):
        return [token for token in tokens if len(token) > 4]

    earned = [
        judge(name, seed, responses.respond(exercise, answer, exercise.drawn(seed))).percent
        for seed in range(101, 109)
    ]
    assert np.mean(earned) <= 60
    assert min(earned) <= 50


def test_a_mistake_that_fails_in_half_of_the_cases_is_a_missing_part():
    name = "transformer.warmup_schedule"
    mistake = next(one for one in key_of(COURSE, name).mistakes if one.name == "whole_numbers")
    assert mistake.costs == (SLIP,)
    outputs = dict(OutputsByCase(mistake, solutions.cases(COURSE.get(name), SEED)))
    assert 2 * list(outputs.values()).count(None) >= len(outputs)
    verdict = judge(name, SEED, response_of(name, outputs, "int64"))
    assert verdict.mistakes == ("whole_numbers",)
    assert [loss.percent for loss in verdict.losses] == [DEFAULTS[PART]]


def without_numbers(outputs, put):
    """A mistake's outputs with other numbers, or none, in place of what a model computes."""
    numbers = {"predictions", "probabilities", "untrained"}
    return {
        case: {
            output: put(value) if output in numbers else value
            for output, value in given.items()
            if put or output not in numbers
        }
        for case, given in outputs.items()
    }


def uniform(value):
    return np.random.RandomState(SEED).uniform(size=value.shape)


FORGED = pytest.mark.parametrize("put", [None, np.zeros_like, uniform])


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("conv1d.build_conv1d_classifier", "kernels_of_3"),
        ("transformer.build_transformer_classifier", "one_row_too_many"),
        ("fastformer.build_fastformer_classifier", "one_row_too_many"),
    ],
)
@pytest.mark.parametrize("seed", [12, 13, 14])
@FORGED
def test_who_claims_other_weights_without_a_model_earns_a_fifth_at_most(name, mistake, seed, put):
    made = next(one for one in taught.known(COURSE.get(name), seed).single if one.name == mistake)
    honest = judge(name, seed, response_of(name, made.outputs))
    assert honest.mistakes == (mistake,)
    assert honest.percent > 50
    forged = response_of(name, without_numbers(made.outputs, put))
    assert judge(name, seed, forged).percent <= MOST_WITHOUT_WORK


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("conv1d.build_conv1d_classifier", "dropout_always"),
        ("fastformer.build_fastformer_classifier", "drops_while_predicting"),
    ],
)
@FORGED
def test_dropout_while_predicting_is_no_excuse_for_other_numbers(name, mistake, put):
    made = next(one for one in taught.known(COURSE.get(name), SEED).single if one.name == mistake)
    assert judge(name, SEED, response_of(name, made.outputs)).percent == 85
    forged = response_of(name, without_numbers(made.outputs, put))
    assert judge(name, SEED, forged).losses == ()
