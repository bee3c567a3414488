"""Blind comparisons: which pair a person gets next, their votes, and which of these count."""
