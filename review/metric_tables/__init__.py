"""The page Metrics: every stored number of a project's models, as tables and as files."""
