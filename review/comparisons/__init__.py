"""Blind comparisons: the choice of a person's next pair, their votes, and which votes count."""
