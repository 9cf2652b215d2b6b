"""Controls for front ends that show them: a guess before a demonstration, a look into a model."""
