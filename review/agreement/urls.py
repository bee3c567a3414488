from django.urls import path

from review.agreement import views

urlpatterns = [
    path("p/<slug:slug>/agreement/", views.agreement, name="agreement"),
    path("p/<slug:slug>/agreement/live/", views.live, name="agreement_live"),
    path("p/<slug:slug>/agreement/recompute/", views.recompute, name="recompute_agreement"),
]
