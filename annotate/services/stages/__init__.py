"""The CaReBench pipeline, step by step: write-up, merge, split (paper, section 3.2)."""

from annotate.services.stages.merging import send_back_write_up, submit_merge
from annotate.services.stages.opening import (
    open_dynamics_check,
    open_hand_writing,
    open_writing,
    withdraw_untouched,
)
from annotate.services.stages.splitting import (
    reopen_merge,
    send_back_split,
    split_warnings,
    submit_split,
)
from annotate.services.stages.writing import submit_write_up

__all__ = [
    "open_dynamics_check",
    "open_hand_writing",
    "open_writing",
    "reopen_merge",
    "send_back_split",
    "send_back_write_up",
    "split_warnings",
    "submit_merge",
    "submit_split",
    "submit_write_up",
    "withdraw_untouched",
]
