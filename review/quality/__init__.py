"""Work with known answers: training before a kind of work, and gold among it."""
