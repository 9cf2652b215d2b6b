# ---
# expected:
#   build_vectorizer:
#     fails:
#       - words have their ids, padding is 0
#     mistake: as_long_as_the_longest_text
#   conv1d_output_length:
#     fails:
#       - stride 1 is right
#     mistake: odd_kernel_one_narrower
#   best_epoch:
#     fails:
#       - the first epoch can be the best
#       - the last epoch can be the best
#     mistake: last_epoch_left_out_and_none_left
# ---

# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    cleaned = standardize(tf.constant(texts)).numpy()
    longest = max(len(text.split()) for text in cleaned)
    if longest < sequence_length:
        sequence_length = longest
    layer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    layer.adapt(texts)
    return layer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    half = kernel_size // 2
    return len(range(half, length - half + 1, strides))


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = history["val_loss"][:-1]
    return losses.index(min(losses)) + 1
