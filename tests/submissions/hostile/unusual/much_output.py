# ---
# attack: None; a loop that was left in prints a thousand lines, and a large array is displayed.
# ---

# %% grade_id="stem"
for number in range(1_000):
    print(f"line {number}: {'-' * 80}")


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]


np.arange(10_000).reshape(100, 100).tolist()
