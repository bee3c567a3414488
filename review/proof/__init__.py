"""The reports of a release with their inputs, so that anybody can check them."""
