"""Modifications, which describe the change from one label to another: texts, prompts and pages."""
