"""From the archives of learning platforms to ``submitted/<student>/<lesson>/``."""
