from django.urls import path

from review.captions import views

_SETS = "p/<slug:slug>/caption-sets"
urlpatterns = [
    path(f"{_SETS}/of-run/", views.make_of_run, name="make_caption_set"),
    path(f"{_SETS}/import/", views.import_file, name="import_predictions"),
    path(f"{_SETS}/<int:set_id>/", views.caption_set, name="caption_set"),
    path(f"{_SETS}/<int:set_id>/offer/", views.offer, name="offer_caption_set"),
]
