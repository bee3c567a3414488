"""A machine caption verified sentence by sentence, and what people said of it as a table."""
