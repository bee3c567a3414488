from django.urls import path

from review.verification import views

urlpatterns = [
    path(
        "assignments/<int:assignment_id>/changes/",
        views.verify_changes,
        name="verify_changes",
    ),
    path("p/<slug:slug>/verifications/", views.verifications, name="verifications"),
    path(
        "p/<slug:slug>/verifications/<int:verification_id>/",
        views.verification,
        name="verification",
    ),
]
