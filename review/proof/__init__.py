"""The reports of a release, with what they were computed from, so that anybody can check them."""
