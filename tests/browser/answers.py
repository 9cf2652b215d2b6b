"""Who the student of these tests is, and what they answer."""

from nbgrader.utils import get_username

COURSE = "attention"
STUDENT = get_username()
"""nbgrader's exchange knows people by their accounts."""

UNANSWERED = "raise NotImplementedError()"

RIGHT = r'addresses = re.findall(r"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", text)'
"""An answer to ``find_emails``, in one line."""

WRONG = "rows = np.eye(len(words), len(vocabulary))"
"""An answer to ``one_hot`` that puts the ones where the words stand in their list."""

HINT = (
    "You placed the ones by position in the list of words: they belong at each word's position "
    "in the vocabulary."
)

WORDS = "Stop words such as not and no are gone after it."
"""An answer to ``steps_that_lose``."""
