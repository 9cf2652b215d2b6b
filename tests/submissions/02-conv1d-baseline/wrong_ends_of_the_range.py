# ---
# expected:
#   build_vectorizer:
#     fails:
#       - the vocabulary is padding, unknown, then words by frequency
#       - words have their ids, padding is 0
#       - unknown words get id 1
#       - texts that are too long are truncated
#       - max_tokens limits the vocabulary, including padding and unknown
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: texts_with_the_word
#   conv1d_output_length:
#     fails:
#       - stride 1 is right
#     mistake: every_word_with_stride_one
#   best_epoch:
#     fails:
#       - the last epoch can be the best
#     mistake: last_epoch_left_out
# ---

# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    layer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    split = [text.decode().split() for text in standardize(tf.constant(texts)).numpy()]
    layer.adapt([" ".join(sorted(set(words))) for words in split])
    return layer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    windows = 0
    for start in range(0, length, strides):
        windows += strides == 1 or start + kernel_size <= length
    return windows if length >= kernel_size else 0


# %% grade_id="best_epoch"
def best_epoch(history):
    losses, best = history["val_loss"], 1
    for epoch in range(1, len(losses)):
        if losses[epoch - 1] < losses[best - 1]:
            best = epoch
    return best
