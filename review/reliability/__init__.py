"""How reliable people are, and reports with and without it, or without one person."""

# The name of its report.
NAME = "reliability"
