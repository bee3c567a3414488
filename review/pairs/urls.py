from django.urls import path

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
]
