"""Shared by the transformers backends: opening a model, packing batches, drawing text."""
