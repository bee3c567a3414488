"""The objects that spatial and temporal captions name (CaReBench, appendix E)."""
