from django.urls import path

from annotate.clip_changes import views

CHANGES = "p/<slug:slug>/corpus/changes/"

urlpatterns = [
    path(CHANGES, views.choose, name="change_clips"),
    path(f"{CHANGES}make/", views.make, name="make_clip_change"),
    path(f"{CHANGES}<int:change_id>/", views.made, name="clip_change"),
    path(f"{CHANGES}<int:change_id>/undo/", views.undo, name="undo_clip_change"),
]
