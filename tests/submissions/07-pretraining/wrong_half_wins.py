# ---
# expected:
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - dozens and thousands of differences give the exact number, too
#     mistake: ties_are_half_wins
# ---

# %% grade_id="paired_test"
def paired_test(right_a: np.ndarray, right_b: np.ndarray) -> float:
    a_wins = int(np.sum(right_a & ~right_b))
    b_wins = int(np.sum(right_b & ~right_a))
    ties = len(right_a) - a_wins - b_wins
    n = len(right_a)
    k = min(a_wins, b_wins) + ties // 2  # a tie is half a win for each
    ways = sum(math.comb(n, i) for i in range(k + 1))
    p_value = min(1.0, 2 * ways / 2**n)
    return p_value
