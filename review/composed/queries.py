"""Composed queries as a metric takes them."""

from __future__ import annotations
