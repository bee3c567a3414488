"""How many labels are enough: the intervals of studies, rounds and spot checks over time."""
