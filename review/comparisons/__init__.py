"""Blind comparisons: what their pages show, and the rules behind them."""
