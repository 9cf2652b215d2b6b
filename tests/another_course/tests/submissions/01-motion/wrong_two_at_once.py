# ---
# expected:
#   falling_time:
#     fails:
#       - the times are right
#     mistake: no_root and no_two
#   impact_speed:
#     fails:
#       - the speeds are right
#     mistake: average_speed
#   center_of_mass:
#     fails:
#       - equal masses balance in the middle
#       - the numbers are right
#     mistake: not_divided
# ---

# %% grade_id="falling_time"
def falling_time(heights, gravity):
    return heights / gravity


# %% grade_id="impact_speed"
def impact_speed(heights, gravity):
    return np.sqrt(2 * gravity * heights) / 2


# %% grade_id="center_of_mass"
def center_of_mass(masses, positions):
    return (masses[:, None] * positions).sum(axis=0)
