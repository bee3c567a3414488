"""LoVR's annotation table: verifications as CSV, out and in (appendix B.3)."""
