from django.urls import path

from review.precision import views

urlpatterns = [
    path("p/<slug:slug>/precision/", views.precision, name="precision"),
    path("p/<slug:slug>/precision/rule/", views.set_rule, name="set_stopping_rule"),
]
