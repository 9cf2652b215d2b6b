"""Pictures: plots of measured numbers, diagrams of how something works."""
