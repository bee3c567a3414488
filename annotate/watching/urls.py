from django.urls import path

from annotate.watching import views

urlpatterns = [path("p/<slug:slug>/settings/watching/", views.watching, name="watching")]
