"""Composed queries in the form that metrics need."""

from __future__ import annotations
