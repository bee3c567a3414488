"""Background work of every kind: one engine that plans, leases, works, retries and gives up."""
