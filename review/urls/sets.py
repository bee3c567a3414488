"""Captions of models: made of runs, imported, read, and held against human ones."""

from django.urls import path

from review.views import caption_sets

_SETS = "p/<slug:slug>/caption-sets"
urlpatterns = [
    path(f"{_SETS}/", caption_sets.caption_sets, name="caption_sets"),
    path(f"{_SETS}/live/", caption_sets.live, name="caption_sets_live"),
    path(f"{_SETS}/of-run/", caption_sets.make_of_run, name="make_caption_set"),
    path(f"{_SETS}/import/", caption_sets.import_file, name="import_predictions"),
    path(f"{_SETS}/recompute/", caption_sets.recompute, name="recompute_overlap"),
    path(f"{_SETS}/<int:set_id>/", caption_sets.caption_set, name="caption_set"),
    path(f"{_SETS}/<int:set_id>/offer/", caption_sets.offer, name="offer_caption_set"),
]
