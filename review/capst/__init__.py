"""CapST: what its model is asked, what its replies must be, and what its pages show."""
