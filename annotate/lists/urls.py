from django.urls import path

from annotate.lists import views

LIST = "p/<slug:slug>/lists/<slug:list_name>/"
VIEW = "p/<slug:slug>/saved-views/<int:saved_view_id>/"

urlpatterns = [
    path(f"{LIST}views/", views.save_view, name="save_view"),
    path(f"{LIST}columns/", views.choose_columns, name="columns"),
    path(VIEW, views.change_view, name="change_view"),
    path(f"{VIEW}delete/", views.delete_view, name="delete_view"),
]
