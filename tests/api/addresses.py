"""The operations of the API: each with its method, the roles that may use it, and its scope."""

from __future__ import annotations

from tests.report_addresses import ADMIN, EVERY_MEMBER, WATCHING
from tests.test_permissions import ANNOTATOR, EXPERT, REVIEWER

OPERATIONS = {
    "api:token": ("get", EVERY_MEMBER, "read"),
    "api:project": ("get", EVERY_MEMBER, "read"),
    "api:project patch": ("patch", {ADMIN}, "admin"),
    "api:members": ("get", {ADMIN}, "read"),
    "api:member": ("get", {ADMIN}, "read"),
    "api:member patch": ("patch", {ADMIN}, "admin"),
    "api:member delete": ("delete", {ADMIN}, "admin"),
    "api:invitations": ("get", {ADMIN}, "read"),
    "api:invitations post": ("post", {ADMIN}, "admin"),
    "api:invitation": ("delete", {ADMIN}, "admin"),
    "api:video patch": ("patch", {ADMIN}, "admin"),
    "api:clip patch": ("patch", {ADMIN}, "admin"),
    "api:withdraw_clip": ("post", {ADMIN}, "admin"),
    "api:take_back_clip": ("post", {ADMIN}, "admin"),
    "api:make_current": ("post", {ADMIN}, "admin"),
    "api:imports": ("post", {ADMIN}, "admin"),
    "api:files": ("post", {ADMIN}, "admin"),
    "api:file": ("get", {ADMIN}, "read"),
    "api:file_bytes": ("put", {ADMIN}, "admin"),
    "api:runs": ("get", {ADMIN}, "read"),
    "api:runs post": ("post", {ADMIN}, "admin"),
    "api:videos": ("get", EVERY_MEMBER, "read"),
    "api:video": ("get", EVERY_MEMBER, "read"),
    "api:clips": ("get", EVERY_MEMBER, "read"),
    "api:clip": ("get", EVERY_MEMBER, "read"),
    "api:captions": ("get", EVERY_MEMBER, "read"),
    "api:labels": ("get", EVERY_MEMBER, "read"),
    "api:label": ("get", EVERY_MEMBER, "read"),
    "api:jobs": ("get", {ADMIN}, "read"),
    "api:job": ("get", {ADMIN}, "read"),
    "api:cancel_job": ("post", {ADMIN}, "admin"),
    "api:retry_job": ("post", {ADMIN}, "admin"),
    "api:models": ("get", {ADMIN}, "read"),
    "api:model": ("get", {ADMIN}, "read"),
    "api:reports": ("get", WATCHING, "read"),
    "api:reports post": ("post", {ADMIN}, "admin"),
    "api:report": ("get", WATCHING, "read"),
    "api:rounds": ("get", WATCHING, "read"),
    "api:round": ("get", WATCHING, "read"),
    "api:votes": ("get", {EXPERT, REVIEWER}, "read"),
    "api:triplet_sets": ("get", WATCHING, "read"),
    "api:triplet_set": ("get", WATCHING, "read"),
    "api:queries": ("get", WATCHING, "read"),
    "api:releases": ("get", EVERY_MEMBER, "read"),
    "api:releases post": ("post", {ADMIN}, "admin"),
    "api:release": ("get", EVERY_MEMBER, "read"),
    "api:release_archive": ("get", EVERY_MEMBER, "read"),
    "api:release_archive post": ("post", EVERY_MEMBER, "work"),
    "api:works": ("get", EVERY_MEMBER, "read"),
    "api:take_work": ("post", {ANNOTATOR}, "work"),
}
# 404 for a member too: a file that the world doesn't have, or a text that is hidden from them.
SOMETIMES = {
    "api:playback": ("get", EVERY_MEMBER, "read"),
    "api:caption": ("get", EVERY_MEMBER, "read"),
}
# Anna's, and 404 for everybody else; Rita's vote, for whoever votes.
OWN = {
    "api:work": ("get", {ANNOTATOR}, "work"),
    "api:draft": ("put", {ANNOTATOR}, "work"),
    "api:heartbeat": ("post", {ANNOTATOR}, "work"),
    "api:submit": ("post", {ANNOTATOR}, "work"),
    "api:skip": ("post", {ANNOTATOR}, "work"),
    "api:take_again": ("post", {ANNOTATOR}, "work"),
    "api:vote": ("put", {REVIEWER}, "work"),
}
