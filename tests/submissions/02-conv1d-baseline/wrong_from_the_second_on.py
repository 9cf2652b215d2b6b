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
#     mistake: texts_with_the_word_as_found
#   conv1d_output_length:
#     fails:
#       - a last window that just fits is counted
#       - a text as long as the kernel gives one step
#     mistake: even_kernel_one_wider
#   best_epoch:
#     fails:
#       - the first epoch can be the best
#     mistake: first_epoch_left_out_and_none_left
# ---

# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    number_of_texts = {}
    for text in standardize(tf.constant(texts)).numpy():
        seen = []
        for word in text.decode().split():
            if word not in seen:
                seen.append(word)
                number_of_texts[word] = number_of_texts.get(word, 0) + 1
    ranked = sorted(number_of_texts, key=number_of_texts.get, reverse=True)
    layer = layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )
    layer.set_vocabulary(ranked[: max_tokens - 2])
    return layer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    half = kernel_size // 2
    return len(range(half, length - half, strides))


# %% grade_id="best_epoch"
def best_epoch(history):
    return int(np.argmin(history["val_loss"][1:])) + 2
