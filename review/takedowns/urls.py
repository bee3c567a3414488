from django.urls import path

from review.takedowns import views

_TAKEDOWNS = "p/<slug:slug>/releases/takedowns"
urlpatterns = [
    path(f"{_TAKEDOWNS}/", views.takedowns, name="takedowns"),
    path(f"{_TAKEDOWNS}/clips/<int:clip_id>/", views.preview, name="preview_takedown"),
    path(f"{_TAKEDOWNS}/clips/<int:clip_id>/add/", views.take, name="take_down"),
    path(f"{_TAKEDOWNS}/<int:takedown_id>/undo/", views.undo, name="undo_takedown"),
]
