"""Does a text alone identify its clip within the subcategory? People pick it, blind (CaReBench)."""

# The name of its report.
NAME = "identification"
