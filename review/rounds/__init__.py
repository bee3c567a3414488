"""Rounds of blind comparisons: opened, followed, ended and archived by admins."""
