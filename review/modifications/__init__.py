"""What turns one label into the other in words: the text, the prompts of models, and the pages."""
