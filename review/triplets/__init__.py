"""Composed queries and their targets: the judgment, TF-CoVR's files, and the pages."""
