from django.urls import path

from annotate.candidates import views

urlpatterns = [
    path("p/<slug:slug>/candidates/", views.candidates, name="candidates"),
    path("p/<slug:slug>/candidates/decide/", views.decide_many, name="decide_candidates"),
    path("p/<slug:slug>/candidates/cutting/", views.cutting, name="cutting_live"),
    path("p/<slug:slug>/candidates/cut/", views.cut, name="cut_candidates"),
    path("p/<slug:slug>/candidates/import/", views.add, name="add_candidates"),
    path("p/<slug:slug>/candidates/<int:candidate_id>/", views.candidate, name="candidate"),
    path(
        "p/<slug:slug>/candidates/<int:candidate_id>/decide/",
        views.decide,
        name="decide_candidate",
    ),
]
