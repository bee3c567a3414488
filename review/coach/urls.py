from django.urls import path

from review.coach import views

TEXTS = "p/<slug:slug>/your-texts/"

urlpatterns = [
    path(TEXTS, views.own_texts, name="own_texts"),
    path(f"{TEXTS}<int:assignment_id>/", views.own_text, name="own_text"),
]
