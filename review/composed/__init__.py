# The name of its report.
NAME = "map"
