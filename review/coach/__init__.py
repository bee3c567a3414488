"""How a writer's texts were used, for the writer alone."""
