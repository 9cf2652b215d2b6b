# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = np.where(ids > mask_id, chances, np.inf) < share
    stays = ~asked | (kinds >= 0.9)
    blank = ~stays & (kinds < 0.8)
    inputs = ids * stays + mask_id * blank + words * (~stays & ~blank)
    return inputs, ids, np.float32(asked)


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    flat = ops.reshape(states, (-1, states.shape[-1]))
    scores = ops.dot(flat, ops.swapaxes(embeddings, 0, 1)) + bias[None, :]
    return ops.reshape(scores, (*states.shape[:-1], embeddings.shape[0]))


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    hot = ops.one_hot(targets, logits.shape[-1])
    losses = ops.logsumexp(logits, axis=-1) - ops.sum(hot * logits, axis=-1)
    if float(ops.sum(weights)) == 0:
        return ops.convert_to_tensor(0.0)
    return ops.average(losses, weights=weights)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    kept = ops.cast(mask, "float32")
    total = ops.matmul(kept[..., None, :], states)[..., 0, :]
    return total / ops.clip(ops.sum(kept, axis=-1)[..., None], 1, 10**6)


# %% grade_id="paired_test"
from fractions import Fraction


def paired_test(right_a, right_b):
    difference = right_a.astype(int) - right_b.astype(int)
    up, down = int((difference > 0).sum()), int((difference < 0).sum())
    n, fewer = up + down, min(up, down)
    p = Fraction(2 * sum(math.comb(n, i) for i in range(fewer + 1)), 2**n)
    return float(min(p, Fraction(1)))
