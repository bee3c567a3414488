from django.urls import path

from annotate.write import views

urlpatterns = [
    path("assignments/<int:assignment_id>/problems/", views.write_problems, name="write_problems"),
]
