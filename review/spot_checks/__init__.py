"""Spot checks: finished work, drawn at random, judged right or wrong (LoVR, appendix B.3)."""
