from django.urls import path

from annotate.examples import views

urlpatterns = [
    path("p/<slug:slug>/guidelines/<slug:kind>/", views.guideline, name="guideline"),
    path("p/<slug:slug>/guidelines/<slug:kind>/new/", views.new_example, name="new_example"),
    path("p/<slug:slug>/examples/<int:shown_id>/", views.example, name="example"),
    path("p/<slug:slug>/examples/<int:shown_id>/move/", views.move_example, name="move_example"),
    path(
        "p/<slug:slug>/examples/<int:shown_id>/remove/",
        views.remove_example,
        name="remove_example",
    ),
    path(
        "p/<slug:slug>/examples/versions/<int:guideline_version_id>/restore/",
        views.restore_examples,
        name="restore_examples",
    ),
]
