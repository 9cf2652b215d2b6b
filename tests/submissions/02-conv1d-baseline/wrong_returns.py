# ---
# expected:
#   standardize:
#     fails: everything
#     relation: exception
#     reason: 'AttributeError: ''numpy.ndarray'' object has no attribute ''decode'''
#   build_vectorizer:
#     fails: everything
#     relation: wrong_return
#   conv1d_output_length:
#     fails: everything
#     relation: nothing_returned
#   build_conv1d_classifier:
#     fails: everything
#     relation: wrong_return
#   best_epoch:
#     fails: everything
#     mistake: loss_itself
# ---

# %% grade_id="standardize"
def standardize(texts):
    text = texts.numpy().decode("utf-8").lower().replace("<br />", " ")
    return text.translate(str.maketrans("", "", string.punctuation))


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, output_sequence_length=sequence_length
    )
    return vectorizer.adapt(texts)


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    print((length - kernel_size) // strides + 1)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Dropout(0.5)(layers.Embedding(vocabulary_size, embedding_dim)(ids))
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, :-24:9] != 0)
    x = layers.Dropout(0.5)(layers.Dense(128, activation="relu")(x))
    model = keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))
    return model.compile(loss="binary_crossentropy", optimizer="adam")


# %% grade_id="best_epoch"
def best_epoch(history):
    return min(history["val_loss"])
