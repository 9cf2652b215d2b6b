"""Written answers, marked by people: question by question, by a rubric."""
