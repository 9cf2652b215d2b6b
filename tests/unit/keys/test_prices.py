"""One slip, one price: the same kind of mistake costs the same in every exercise."""

import re
from collections import defaultdict

import pytest

from autograder.judging.keys import IDEA, PART, SLIP, key_of
from autograder.judging.marking import DEFAULTS
from course import COURSE
from tests.conftest import REPOSITORY

KINDS = {
    "a wrong axis, or a reshape where axes should change places": (
        SLIP,
        r"softmax_over_(?!features|one_)\w+|(sum|mean|pooled|averaged)_over_(axis|batch|classes"
        r"|features|heads|the)(_\w+)?|over_(the_)?(batch|features)|(time_)?axis_(?!of_one)\w+|squeezed"
        r"|words_as_(columns|rows)|documents_as_columns|time_kept|mask_on_queries|\w+_transposed"
        r"|\w*reshape(d|d_straight|d_before_the_transpose)?",
    ),
    "two arguments, results or layers exchanged, or one in place of another": (
        SLIP,
        r"\w+_(swapped|exchanged)|swapped_returns|one_norm_\w+"
        r"|(inputs|queries|keys|values|products)_(as|for)_(queries|keys|values)",
    ),
    "the mask read the other way round": (
        SLIP,
        r"mask_(passed_on_)?inverted|weights_inverted|mask_of_padding|padding_raised",
    ),
    "the mask after the softmax; a norm, a dropout or another step at another place": (
        SLIP,
        r"\w+_after_softmax|normalised_before_idf|(pre_norm|norm_before_the_)\w*"
        r"|dropout_(on|after|before|between)_\w+|softmax_before_\w+|queries_projected",
    ),
    "zeros taken for padding; padding at minus infinity, or at a number that isn't low enough": (
        SLIP,
        r"zeros_(always_)?taken_for_padding\w*|tokens_of_zeros_hidden|mask_guessed_from_zeros"
        r"|zero_scores_masked|zeros_at_the_end_lost|zeros_not_counted|minus_infinity|barely_\w+"
        r"|mask_not_low_enough|mask_of_minus_hundred|mask_(left_away|dropped|given_up)_for_all",
    ),
    "a scaling, a bias or a divisor that is missing or wrong; a sum for a mean": (
        SLIP,
        r"(no|un)_?scal(ing|ed)\w*|scaled_(by|again)\w*|only_\w+_scaled|no_d_model"
        r"|(divided|multiplied)_by_(\d+|d|d_k|d_model|half|two|depth|root|the_root|all_chunks"
        r"|classes|documents|texts|the_length|the_largest|vocabulary)(_\w+)?|sum_over_classes"
        r"|counted_in_the_batch|all_places_counted|(one_norm|one_softmax|one_sum)_for_all(_\w+)?"
        r"|sums|summed|sum_of_tokens|averaged|average_of_products|mean_of_terms"
        r"|bias_(?!on_)\w+|no_\w*bias(es)?",
    ),
    "one too many or too few; another order; some items left out": (
        SLIP,
        r"\w+_one_too_\w+|one_(token|step|row)_(more|less|long|short|too_many)|counted_from_\w+"
        r"|from_one|(first|last)_\w+_forgotten|\w+_(reversed|backwards)|backwards|alphabetical"
        r"|(addresses|arguments|numbers|stems|tokens|vocabulary)_sorted|rarest_first"
        r"|in_(the_)?order_\w+|order_of_\w+|\w+_once_each|equal_\w+_once|\w+_left_out(_\w+)?"
        r"|(first|last)_(address|chunk|document|layer|line_break|mark|stop_word|strides|text)_only"
        r"|letters_only|only_the_(first|last)",
    ),
    "letters in another case; numbers that are rounded, or of a type that is too small": (
        SLIP,
        r"capitals_(lost|ignored)|\w+_in_lower_case|rounded_(to|up|down)_?(\d\w+|the_nearest)?"
        r"|\w+_in_(a_)?(byte|bytes|half_precision)|at_most_(127|255)|one_byte|whole_numbers\w*"
        r"|floats|a_float(_unless\w+|_with\w+)?",
    ),
    "something kept from an earlier call; an argument changed in place": (
        SLIP,
        r"\w+_(of|from)_(an_)?earlier_\w+|\w+_of_the_first_(call|schedule)\w*|calls_counted\w*"
        r"|kept_(between|for|by)_\w+|remembered_\w+"
        r"|(tokens|stopwords|history|arguments|ids)_(changed|emptied|sorted|used_up)",
    ),
    "a failure or NaN for None, for nothing or for sizes that are open; an overflow": (
        SLIP,
        r"mask_(always_expected|needed|not_tested_for_none|as_(a_)?condition|not_cast)"
        r"|no_tokens_fail|empty_document_fails|fixed_axes|strides_needed|three_axes_only"
        r"|unknown_not_asked_for|\w+_where_sizes_are_open|empty_row_not_finite|nan_(?!replaced)\w+"
        r"|unstable\w*|largest_of_the_\w+_subtracted\w*",
    ),
    "a fixed number in place of an argument": (
        SLIP,
        r"always_(?!blank)\w+|heads_always_\d+|\w+_always|numbers_of_the_lesson|table_of_\d+"
        r"|sizes_of_the_example",
    ),
    "a different activation; an activation, a softmax, a dropout or a sum too many": (
        SLIP,
        r"softmax_(twice|of_the_mean)|relu(_\w+)?|gelu(_\w+)?|tanh_\w+|\w+_activated"
        r"|negative_scores_raised|dropped_while_training|drops_while_predicting|residual_inside"
        r"|hidden_units_dropped\w*|whole_words_dropped",
    ),
    "what is masked set to 0 before the softmax; the mask added as ones and zeros": (
        IDEA,
        r"mask_(multiplied|added)|\w*padding_set_to_zero",
    ),
    "another method: another pooling or formula, a sigmoid for a softmax, a causal mask": (
        IDEA,
        r"median|votes|largest(_instead_of_mean|_with_zeros)?|geometric_mean|(first|last)_token"
        r"|textbook_idf|lancaster|snowball|batch_normalisation|chi_squared\w*|jaccard|causal"
        r"|(words|tokens)_cut_again\w*|tokens_flattened|present_or_not|presence_for_frequency"
        r"|sigmoids?(_\w+)?",
    ),
    "a mask, strides, scores or another argument that is not used, or not everywhere": (
        PART,
        r"(mask|weights|strides)_ignored|\w*strides_missing|no_mask_at_all|\w+_without_mask"
        r"|mask_in_\w+_(only|alone)|mask_unused_\w+|mask_not_(taken|passed_on)\w*|plain_mean"
        r"|all_as_\w+",
    ),
    "a norm, a residual, a dropout, an activation, a softmax, a layer or a last step left out": (
        PART,
        r"no_(first|second)_(norm|residual|dropout)|no_(norms|residuals|softmax|sigmoid|relu)"
        r"|no_(activation|network|attention|encoder|fastformer|attention_pooling|positions)"
        r"|no_dropout\w*|no_(\w+_)?projections?|linear_\w+|scores_as_weights|axes_not_moved"
        r"|softmax_(with_a_mask_only|over_one_score)|weights_all_one|heads_not_moved"
        r"|(windows_)?not_(summed|pooled|normalised)|exponentials_not_divided|\w+_not_returned|(capitals|punctuation)_kept",
    ),
}
"""What docs/marks.md lists: by kind, what a mistake costs, and the names of such mistakes."""

# A mistake of an earlier task's, inside what this one calls, or one of two ways to make it.
_SUFFIX = re.compile(r"_(in_the_(layer|blocks)|inside|if_there|and_none_below)$")


def mistakes():
    """By exercise and name, what each known mistake costs."""
    for exercise in COURSE.names():
        for made in key_of(COURSE, exercise).mistakes:
            (cost,) = made.costs
            yield exercise, made.name, cost


def test_a_mistake_of_the_same_name_costs_the_same_everywhere():
    costs = defaultdict(set)
    for _, name, cost in mistakes():
        costs[_SUFFIX.sub("", name)].add(cost)
    assert {name: found for name, found in costs.items() if len(found) > 1} == {}


@pytest.mark.parametrize("kind", KINDS)
def test_mistakes_of_a_kind_cost_the_same_everywhere(kind):
    cost, pattern = KINDS[kind]
    found = [one for one in mistakes() if re.fullmatch(pattern, _SUFFIX.sub("", one[1]))]
    assert len({exercise for exercise, _, _ in found}) > 1
    assert [one for one in found if one[2] != cost] == []


def test_the_page_lists_the_kinds_and_their_prices():
    page = (REPOSITORY / "docs" / "marks.md").read_text()
    rows = re.findall(r"^\| (.+) \| (\w+ ?\w+) \| (\d+) % \|$", page, re.MULTILINE)
    costs = [(kind, cost.value, str(DEFAULTS[cost])) for kind, (cost, _) in KINDS.items()]
    assert rows == costs
