"""Thresholds of scorers: their page, studies and estimates."""
