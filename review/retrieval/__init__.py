"""mAP@K: the pages, their pictures, and the numbers as files."""
