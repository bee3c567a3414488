# The name of its report.
NAME = "assessment"
