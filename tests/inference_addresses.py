"""The addresses of models and their runs, and who may use them."""

from tests.report_addresses import ADMIN, EVERY_MEMBER

INFERENCE_ADDRESSES = {
    "inference:models": ("get", {ADMIN}),
    "inference:new_model": ("get", {ADMIN}),
    "inference:add_built_in_models": ("post", {ADMIN}),
    "inference:model": ("get", {ADMIN}),
    "inference:use_model": ("post", {ADMIN}),
    "inference:place_model": ("post", {ADMIN}),
    "inference:themes": ("get", {ADMIN}),
    "inference:correct_theme": ("post", {ADMIN}),
    "inference:take_back_theme": ("post", {ADMIN}),
    "inference:runs": ("get", {ADMIN}),
    "inference:runs_live": ("get", {ADMIN}),
    "inference:new_run": ("get", {ADMIN}),
    "inference:preview_run": ("post", {ADMIN}),
    "inference:run": ("get", {ADMIN}),
    "inference:run_live": ("get", {ADMIN}),
    "inference:cancel_run": ("post", {ADMIN}),
    "inference:retry_run": ("post", {ADMIN}),
    "inference:requeue_run": ("post", {ADMIN}),
    "inference:video": ("get", EVERY_MEMBER),
    "inference:clip_scores": ("get", EVERY_MEMBER),
}
