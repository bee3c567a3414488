from django.urls import path

from review.navigation import views

urlpatterns = [
    path("find/", views.find_project, name="find_project"),
    path("p/<slug:slug>/find/", views.find, name="find"),
]
