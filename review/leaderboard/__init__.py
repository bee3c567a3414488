"""The leaderboard of a round of comparisons: page, charts and files."""

# The names of its reports.
NAME = "leaderboard"
CORRELATION_NAME = "correlation"
