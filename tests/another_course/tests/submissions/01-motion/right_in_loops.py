# %% grade_id="falling_time"
def falling_time(heights, gravity):
    return np.array([(2 * float(h) / gravity) ** 0.5 for h in heights])


# %% grade_id="center_of_mass"
def center_of_mass(masses, positions):
    total = 0
    for mass, position in zip(masses, positions):
        total = total + mass * position
    return total / sum(masses)
