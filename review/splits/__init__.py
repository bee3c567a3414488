"""Which source video goes into which split, and the form that asks for it."""
