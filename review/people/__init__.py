"""What each person of a project did: speed, accuracy, agreement, and signs of missing attention."""
