# ---
# attack: None; the cell shows its progress by clearing and updating what it displayed.
# ---

# %% grade_id="stem"
from IPython.display import HTML, Markdown, clear_output, display

handle = display("0 %", display_id=True)
for percent in range(0, 101, 5):
    handle.update(f"{percent} %")
for step in range(5):
    clear_output(wait=True)
    display(HTML(f"<b>{step}</b>"), Markdown("*done*"))


def stem(tokens):
    stemmer = PorterStemmer()
    return [stemmer.stem(token) for token in tokens]
