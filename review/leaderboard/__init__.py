"""The leaderboard of a round of comparisons: its page, its pictures, its numbers as files."""
