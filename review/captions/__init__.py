# The name of its report.
NAME = "overlap"
