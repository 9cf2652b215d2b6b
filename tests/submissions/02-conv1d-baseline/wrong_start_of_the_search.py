# ---
# expected:
#   best_epoch:
#     fails:
#       - the last epoch can be the best
#     mistake: start_too_low_and_the_first_kept
# ---

# %% grade_id="best_epoch"
def best_epoch(history):
    best, lowest = 1, 1.0
    for i in range(len(history["val_loss"])):
        if history["val_loss"][i] < lowest:
            best, lowest = i + 1, history["val_loss"][i]
    return best
