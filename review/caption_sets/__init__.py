"""Captions of models: their files, and what the pages about them show."""
