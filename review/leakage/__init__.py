"""The objects that spatial and temporal captions name (CaReBench, appendix E)."""

# The name of its report.
NAME = "leakage"
