# ---
# attack: None; a figure is drawn in an answer's cell.
# ---

# %% grade_id="one_hot"
import matplotlib.pyplot as plt


def one_hot(words, vocabulary):
    rows = [[float(word == entry) for entry in vocabulary] for word in words]
    return np.array(rows)


plt.imshow(one_hot(["a", "b", "x"], ["b", "a"]))
plt.title("One-hot vectors")
plt.savefig("one-hot.png")
plt.show()
