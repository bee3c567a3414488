"""CapST: prompts, replies, judging runs, reports and pages."""
