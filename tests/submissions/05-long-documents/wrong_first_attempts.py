# ---
# expected:
#   overlapping_chunks: {points: 1.8, mistake: chunks_after_the_last}
#   relative_position_index: {points: 0.4, mistake: distance_reversed}
#   relative_position_self_attention: {points: 1.5, mistake: distance_reversed}
#   aggregate_chunk_predictions: {points: 1.6, mistake: order_of_appearance}
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    return [tokens[i : i + size] for i in range(0, len(tokens), size - overlap)]


# %% grade_id="relative_position_index"
import tensorflow as tf


def relative_position_index(query_length, key_length, max_length):
    distance = tf.range(query_length)[:, tf.newaxis] - tf.range(key_length)
    return tf.clip_by_value(distance, 1 - max_length, max_length - 1) + max_length - 1


# %% grade_id="aggregate_chunk_predictions"
import numpy as np


def aggregate_chunk_predictions(probabilities, document_ids):
    chunks = {}
    for document, row in zip(document_ids, probabilities):
        chunks.setdefault(document, []).append(row)
    return np.array([np.mean(rows, axis=0) for rows in chunks.values()])
