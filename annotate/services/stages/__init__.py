"""The steps that people do: CaReBench's write-up, merge and split (paper, section 3.2), and LoVR's
dynamics check and writing by hand (section 3.2.2, appendix B.1)."""

from annotate.services.stages.dynamics import submit_dynamics_check
from annotate.services.stages.hand_writing import submit_hand_writing
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
    "submit_dynamics_check",
    "submit_hand_writing",
    "submit_merge",
    "submit_split",
    "submit_write_up",
    "withdraw_untouched",
]
