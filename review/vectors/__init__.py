"""Files of vectors: of labels, and of composed queries with their gallery."""
