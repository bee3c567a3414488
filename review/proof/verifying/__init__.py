"""Checks the folder of a release. It needs numpy alone: `verify.pyz` contains it."""
