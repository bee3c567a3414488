from django.urls import path

from review.tables import views

urlpatterns = [
    path("p/<slug:slug>/tables/", views.tables, name="tables"),
    path("p/<slug:slug>/tables/remove/", views.remove, name="remove_imported"),
    path("p/<slug:slug>/tables/<slug:table>.csv", views.download, name="download_table"),
]
