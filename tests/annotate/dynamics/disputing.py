"""A video about which two people disagree, for tests."""

from __future__ import annotations

from annotate.models import User, Video
from tests.hand_work import DYNAMIC, STATIC, hold_check, judge


def disagree(video: Video, finds_it_dynamic: User, does_not: User) -> Video:
    """The first calls the video dynamic, the second static, with a remark each."""
    judge(hold_check(finds_it_dynamic, video), {**DYNAMIC, "remark": "It cuts often."})
    judge(hold_check(does_not, video), {**STATIC, "remark": "One shot."})
    return video
