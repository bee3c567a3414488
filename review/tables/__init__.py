"""The tables of a project with triplets, in and out."""
