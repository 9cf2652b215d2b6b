"""What an instructor runs. Students never see it: it is not in the wheel they install."""
