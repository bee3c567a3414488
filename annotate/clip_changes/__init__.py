"""Change many clips at once: choose them in a list, see what an action does, do it, undo it."""
