"""The addresses of releases, and who may use them."""

from tests.report_addresses import ADMIN, EVERY_MEMBER

RELEASE_ADDRESSES = {
    "review:releases": ("get", EVERY_MEMBER),
    "review:releases_live": ("get", EVERY_MEMBER),
    "review:release": ("get", EVERY_MEMBER),
    "review:release_statistics": ("get", EVERY_MEMBER),
    "review:release_studio": ("get", EVERY_MEMBER),
    "review:release_changes": ("get", EVERY_MEMBER),
    "review:release_checks": ("get", EVERY_MEMBER),
    "review:release_card": ("get", {ADMIN}),
    "review:keep_release_notes": ("post", {ADMIN}),
    "review:choose_release_content": ("post", {ADMIN}),
    "review:change_release_gates": ("post", {ADMIN}),
    "review:build_release": ("post", {ADMIN}),
    "review:cancel_release_build": ("post", {ADMIN}),
    "review:takedowns": ("get", EVERY_MEMBER),
    "review:preview_takedown": ("get", {ADMIN}),
    "review:take_down": ("post", {ADMIN}),
    "review:undo_takedown": ("post", {ADMIN}),
    "review:download_release": ("get", EVERY_MEMBER),
    "review:release_hashes": ("get", EVERY_MEMBER),
    "review:release_archive": ("get", EVERY_MEMBER),
    "review:prepare_release_archive": ("post", EVERY_MEMBER),
}
