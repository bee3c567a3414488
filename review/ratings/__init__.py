"""Ratings from 0 to 5: the training, the sample of a study, and the pages."""

# The name of its report.
NAME = "ratings"
