"""Shared by all lists: saved views, and chosen columns."""
