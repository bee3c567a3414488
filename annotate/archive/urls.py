from django.urls import path

from annotate.archive import views

_THING = "p/<slug:slug>/archive/<slug:thing_kind>/<int:thing_id>"
urlpatterns = [
    path("p/<slug:slug>/archive/", views.archive, name="archive"),
    path(f"{_THING}/", views.thing, name="archived_thing"),
    path(f"{_THING}/archive/", views.put_away, name="put_away"),
    path(f"{_THING}/restore/", views.restore, name="restore"),
    path(f"{_THING}/delete/", views.delete, name="delete"),
]
