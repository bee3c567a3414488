"""The audit log: every change in a project, by anybody."""
