from django.urls import path

from annotate.lists import views

VIEW = "p/<slug:slug>/saved-views/<int:saved_view_id>/"

CLIPS = {"list_name": "clips"}
VERIFICATIONS = {"list_name": "verifications"}
LABEL_PAIRS = {"list_name": "label-pairs"}

urlpatterns = [
    path("p/<slug:slug>/corpus/views/", views.save_view, CLIPS, name="save_view"),
    path("p/<slug:slug>/corpus/columns/", views.choose_columns, CLIPS, name="columns"),
    path(
        "p/<slug:slug>/verifications/views/",
        views.save_view,
        VERIFICATIONS,
        name="save_verifications_view",
    ),
    path(
        "p/<slug:slug>/label-pairs/views/",
        views.save_view,
        LABEL_PAIRS,
        name="save_label_pairs_view",
    ),
    path(VIEW, views.change_view, name="change_view"),
    path(f"{VIEW}delete/", views.delete_view, name="delete_view"),
]
