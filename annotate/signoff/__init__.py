"""Experts who neither wrote nor merged a clip's texts agree with them, or send them back."""
