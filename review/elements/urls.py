from django.urls import path

from review.elements import views

urlpatterns = [
    path(
        "assignments/<int:assignment_id>/elements/<slug:kind>/check/",
        views.check,
        name="check_elements",
    ),
]
