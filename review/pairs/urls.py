"""Label pairs and the modifications that lead across them."""

from django.urls import path

from review.modifications import views as modification_changes
from review.modifications import views as modification_prompts
from review.modifications import views as modifications
from review.pairs import views

urlpatterns = [
    path("p/<slug:slug>/label-pairs/", views.label_pairs, name="label_pairs"),
    path("p/<slug:slug>/label-pairs/live/", views.live, name="label_pairs_live"),
    path("p/<slug:slug>/label-pairs/compare/", views.compare, name="compare_labels"),
    path("p/<slug:slug>/label-pairs/hand-out/", views.hand_out, name="hand_out_pairs"),
    path(
        "assignments/<int:assignment_id>/pair/again/",
        views.judge_again,
        name="judge_pair_again",
    ),
    path("p/<slug:slug>/modifications/", modifications.modifications, name="modifications"),
    path("p/<slug:slug>/modifications/live/", modifications.live, name="modifications_live"),
    path("p/<slug:slug>/modifications/write/", modifications.start, name="start_modification_run"),
    path(
        "p/<slug:slug>/modifications/runs/<int:writing_id>/stop/",
        modifications.stop,
        name="stop_modification_run",
    ),
    path(
        "p/<slug:slug>/modifications/<int:modification_id>/",
        modification_changes.modification,
        name="modification",
    ),
    path(
        "p/<slug:slug>/modifications/<int:modification_id>/change/",
        modification_changes.change,
        name="change_modification",
    ),
    path(
        "p/<slug:slug>/modifications/<int:modification_id>/withdraw/",
        modification_changes.withdraw,
        name="withdraw_modification",
    ),
    path(
        "p/<slug:slug>/modifications/<int:direction_id>/ask-again/",
        modifications.ask_again,
        name="ask_modification_again",
    ),
    path(
        "assignments/<int:assignment_id>/modification/check/",
        modifications.check,
        name="check_modification",
    ),
    path(
        "p/<slug:slug>/modifications/prompts/",
        modification_prompts.prompts,
        name="modification_prompts",
    ),
    path(
        "p/<slug:slug>/modifications/prompts/save/",
        modification_prompts.save,
        name="save_modification_prompt",
    ),
]
