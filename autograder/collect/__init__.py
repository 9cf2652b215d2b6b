"""Collect submissions from learning platforms' archives into ``submitted/<student>/<lesson>/``."""
