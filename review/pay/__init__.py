"""Pay: rates, an append-only ledger of what people earned, and approved statements (LoVR, B.4)."""
