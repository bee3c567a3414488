"""The events and objects that a human caption names: lists that people check, line by line."""
