"""How far people agree."""

from django.urls import path

from review.views import agreement

urlpatterns = [
    path("p/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("p/<slug:slug>/agreement/live/", agreement.live, name="agreement_live"),
    path("p/<slug:slug>/agreement/recompute/", agreement.recompute, name="recompute_agreement"),
]
