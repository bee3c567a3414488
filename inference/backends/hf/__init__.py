"""What the transformers backends share: opening a model, packing batches, drawing text."""
