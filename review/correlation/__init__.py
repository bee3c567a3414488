"""The page Correlation: automatic metrics against people's ratings."""
