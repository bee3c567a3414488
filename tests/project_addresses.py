"""Addresses of settings, consent, guidelines, members and progress, and who may use them."""

from __future__ import annotations

from tests.report_addresses import ADMIN, EVERY_MEMBER, WATCHING

PROJECT_ADDRESSES = {
    "annotate:project_settings": ("get", {ADMIN}),
    "annotate:consent": ("get", EVERY_MEMBER),
    "annotate:agree_to_consent": ("post", EVERY_MEMBER),
    "annotate:withdraw_consent": ("post", EVERY_MEMBER),
    "annotate:download_consent": ("get", EVERY_MEMBER),
    "annotate:consent_text": ("get", {ADMIN}),
    "annotate:guideline": ("get", {ADMIN}),
    "annotate:new_example": ("get", {ADMIN}),
    "annotate:example": ("get", {ADMIN}),
    "annotate:move_example": ("post", {ADMIN}),
    "annotate:remove_example": ("post", {ADMIN}),
    "annotate:restore_examples": ("post", {ADMIN}),
    "annotate:members": ("get", {ADMIN}),
    "annotate:invite": ("post", {ADMIN}),
    "annotate:withdraw_invitation": ("post", {ADMIN}),
    "annotate:change_roles": ("post", {ADMIN}),
    "annotate:assign_subcategories": ("post", {ADMIN}),
    "annotate:remove_member": ("post", {ADMIN}),
    "review:overview": ("get", WATCHING),
    "review:overview_live": ("get", WATCHING),
    "review:activity": ("get", WATCHING),
    "review:offer_again": ("post", {ADMIN}),
    "annotate:api_tokens": ("get", EVERY_MEMBER),
    "annotate:make_api_token": ("post", EVERY_MEMBER),
    "annotate:webhooks": ("get", {ADMIN}),
    "annotate:add_webhook": ("post", {ADMIN}),
    "annotate:webhook": ("get", {ADMIN}),
    "annotate:webhook_deliveries": ("get", {ADMIN}),
    "annotate:change_webhook": ("post", {ADMIN}),
    "annotate:turn_on_webhook": ("post", {ADMIN}),
    "annotate:turn_off_webhook": ("post", {ADMIN}),
    "annotate:rotate_webhook": ("post", {ADMIN}),
    "annotate:delete_webhook": ("post", {ADMIN}),
    "annotate:test_webhook": ("post", {ADMIN}),
    "annotate:redeliver_webhook": ("post", {ADMIN}),
}
