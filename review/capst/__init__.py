"""CapST: prompts, replies, judging runs, reports and pages."""

# The name of its report.
NAME = "capst"
