"""Words and phrases in captions: an index that workers fill, and the conditions that read it."""
