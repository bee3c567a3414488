# The name of its report.
NAME = "unified"
