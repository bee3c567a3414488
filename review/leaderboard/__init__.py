"""The leaderboard of a round of comparisons: page, charts and files."""
