"""Verifying machine captions sentence by sentence, and the annotation table."""
