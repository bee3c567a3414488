"""The operations of the API: each with its method, the roles that may use it, and its scope."""

from __future__ import annotations

from tests.report_addresses import ADMIN, EVERY_MEMBER

OPERATIONS = {
    "api:token": ("get", EVERY_MEMBER, "read"),
    "api:project": ("get", EVERY_MEMBER, "read"),
    "api:members": ("get", {ADMIN}, "read"),
    "api:videos": ("get", EVERY_MEMBER, "read"),
    "api:video": ("get", EVERY_MEMBER, "read"),
    "api:clips": ("get", EVERY_MEMBER, "read"),
    "api:clip": ("get", EVERY_MEMBER, "read"),
    "api:captions": ("get", EVERY_MEMBER, "read"),
}
# 404 for a member too: a file that the world doesn't have, or a text that is hidden from them.
SOMETIMES = {
    "api:playback": ("get", EVERY_MEMBER, "read"),
    "api:caption": ("get", EVERY_MEMBER, "read"),
}
