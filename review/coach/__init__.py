"""What became of a writer's texts, for the writer alone."""
