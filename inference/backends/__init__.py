"""Models behind small protocols. Only modules of this package import torch or transformers."""
