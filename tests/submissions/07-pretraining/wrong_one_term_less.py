# ---
# expected:
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - dozens and thousands of differences give the exact number, too
#     mistake: strictly_fewer_where_some_differ
# ---

# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    only_a = int(np.sum(right_a & ~right_b))
    only_b = int(np.sum(right_b & ~right_a))
    n, k = only_a + only_b, min(only_a, only_b)
    if n == 0:
        return 1.0
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(k)) / 2**n)
