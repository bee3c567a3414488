# The name of its report.
NAME = "statistics"
