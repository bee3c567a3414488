"""Video files: check, probe, normalize, picture. Pure functions over paths: no database."""
