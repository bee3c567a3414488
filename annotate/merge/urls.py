from django.urls import path

from annotate.merge import views

urlpatterns = [
    path(
        "assignments/<int:assignment_id>/send-back/<int:caption_id>/",
        views.send_back,
        name="send_back",
    ),
    path("assignments/<int:assignment_id>/origins/", views.origins, name="merge_origins"),
]
