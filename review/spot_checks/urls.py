from django.urls import path

from review.spot_checks import views

CHECKS = "p/<slug:slug>/spot-checks/"
CHECK = f"{CHECKS}<int:check_id>/"

urlpatterns = [
    path(CHECKS, views.spot_checks, name="spot_checks"),
    path(f"{CHECKS}draw/", views.draw, name="draw_spot_check"),
    path(CHECK, views.spot_check, name="spot_check"),
    path(f"{CHECK}end/", views.end, name="end_spot_check"),
    path(f"{CHECK}next/", views.judge_next, name="judge_next"),
    path(f"{CHECKS}items/<int:spot_item_id>/", views.judged_item, name="spot_check_item"),
    path(f"{CHECKS}items/<int:spot_item_id>/judge/", views.judge, name="judge_spot_check_item"),
]
