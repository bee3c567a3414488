"""The threshold of a way of scoring: its page, and what is drawn and counted there."""
