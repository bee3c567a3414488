"""Recall and ReBias: the pages, their pictures, the numbers as files, and vectors from files."""
