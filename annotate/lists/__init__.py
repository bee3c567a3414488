"""What lists share: the views that people save, and the columns that they choose."""
