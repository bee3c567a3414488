"""The addresses of training, gold, spot checks and pay, and the roles that may open them."""

from __future__ import annotations

from tests.report_addresses import ADMIN, ANNOTATOR, EVERY_MEMBER, WATCHING

QUALITY_ADDRESSES = {
    "review:quality": ("get", {ADMIN}),
    "review:quality_kind": ("get", {ADMIN}),
    "review:known_answer_sources": ("get", {ADMIN}),
    "review:add_known_answer": ("get", {ADMIN}),
    "review:move_known_answer": ("post", {ADMIN}),
    "review:retire_known_answer": ("post", {ADMIN}),
    "review:train_again": ("post", {ADMIN}),
    "review:let_in": ("post", {ADMIN}),
    "review:end_pause": ("post", {ADMIN}),
    "review:kind_training": ("get", {ANNOTATOR}),
    "review:next_training": ("post", {ANNOTATOR}),
    "review:people": ("get", {ADMIN}),
    "review:person": ("get", {ADMIN}),
    "review:own_numbers": ("get", EVERY_MEMBER),
    "review:own_texts": ("get", EVERY_MEMBER),
    "review:spot_checks": ("get", WATCHING),
    "review:draw_spot_check": ("post", {ADMIN}),
    "review:spot_check": ("get", {ADMIN}),
    "review:end_spot_check": ("post", {ADMIN}),
    "review:precision": ("get", {ADMIN}),
    "review:set_stopping_rule": ("post", {ADMIN}),
    "review:judge_next": ("get", WATCHING),
    "review:judge_spot_check_item": ("post", WATCHING),
    "review:pay": ("get", EVERY_MEMBER),
    "review:pay_statement": ("get", {ADMIN}),
    "review:pay_people": ("get", {ADMIN}),
    "review:record_pay": ("post", {ADMIN}),
    "review:download_pay": ("get", {ADMIN}),
    "review:person_pay": ("get", {ADMIN}),
    "review:correct_pay": ("post", {ADMIN}),
    "review:approve_pay": ("post", {ADMIN}),
    "review:pay_bonus": ("post", {ADMIN}),
    "review:pay_rates": ("get", {ADMIN}),
    "review:set_currency": ("post", {ADMIN}),
    "review:add_pay_rate": ("post", {ADMIN}),
    "review:set_pay_bonus": ("post", {ADMIN}),
}
