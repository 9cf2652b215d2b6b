# ---
# expected:
#   falling_time:
#     fails: everything
#     relation: exception
#     reason: Nothing falls upwards
#   impact_speed:
#     fails: everything
#     relation: exception
# ---

# %% grade_id="falling_time"
def falling_time(heights, gravity):
    raise OverflowError("negative height")


# %% grade_id="impact_speed"
def impact_speed(heights, gravity):
    return gravity * falling_time(heights)
