from django.urls import path

from annotate.split import views

urlpatterns = [
    path(
        "assignments/<int:assignment_id>/checks/",
        views.split_checks,
        name="split_checks",
    ),
    path(
        "p/<slug:slug>/clips/<int:clip_id>/send-back-split/",
        views.send_back_split,
        name="send_back_split",
    ),
    path(
        "p/<slug:slug>/clips/<int:clip_id>/send-back-merge/",
        views.send_back_merge,
        name="send_back_merge",
    ),
]
