"""Thresholds of scorers: their page, studies and estimates."""

# The name of its report.
NAME = "threshold"
