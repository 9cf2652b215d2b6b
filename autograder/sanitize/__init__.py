"""What was handed in, made safe and whole before anything reads it."""
