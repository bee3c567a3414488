"""Composed queries and their targets: the judgement, TF-CoVR's files, and the pages."""
