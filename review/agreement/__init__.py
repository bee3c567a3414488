# The name of its report.
NAME = "agreement"
