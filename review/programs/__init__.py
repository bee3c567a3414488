# The name of its report.
NAME = "programs"
