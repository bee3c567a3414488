"""Video files: check, probe, normalise, picture. Pure functions over paths: no database."""
