"""How reliable people are, and reports with and without it, or without one person."""
