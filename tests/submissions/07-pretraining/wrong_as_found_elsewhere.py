# ---
# expected:
#   mean_pooling:
#     fails:
#       - without padding it's the mean over time
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: zeros_not_counted
#   paired_test:
#     fails:
#       - dozens and thousands of differences give the exact number, too
#     mistake: chi_squared_corrected_where_many_differ
# ---

# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    states = states * tf.cast(mask[..., None], states.dtype)
    counts = tf.math.count_nonzero(states, axis=-2, dtype=states.dtype)
    return tf.math.divide_no_nan(tf.reduce_sum(states, axis=-2), counts)


# %% grade_id="paired_test"
from scipy.stats import binom, chi2


def paired_test(right_a, right_b):
    only_a = int(np.sum(right_a & ~right_b))
    only_b = int(np.sum(right_b & ~right_a))
    n = only_a + only_b
    if n >= 25:
        statistic = max(abs(only_a - only_b) - 1, 0) ** 2 / n
        return float(chi2.sf(statistic, 1))
    return float(min(1.0, 2 * binom.cdf(min(only_a, only_b), n, 0.5)))
