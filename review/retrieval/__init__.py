"""mAP@K: the pages, their pictures, and the numbers as files."""

# The names of its reports.
NAME = "recall"
REBIAS_NAME = "rebias"
