"""Ratings of models from pairwise votes on captions."""

from metrics.pairwise.path import elo_path, stops
from metrics.pairwise.replay import Elo, elo
from metrics.pairwise.strength import BradleyTerry, bradley_terry, votes_to_separate

__all__ = [
    "BradleyTerry",
    "Elo",
    "bradley_terry",
    "elo",
    "elo_path",
    "stops",
    "votes_to_separate",
]
