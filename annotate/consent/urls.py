from django.urls import path

from annotate.consent import views

urlpatterns = [
    path("p/<slug:slug>/consent/", views.consent, name="consent"),
    path("p/<slug:slug>/consent/agree/", views.agree_to_consent, name="agree_to_consent"),
    path("p/<slug:slug>/consent/withdraw/", views.withdraw, name="withdraw_consent"),
    path("p/<slug:slug>/consent/download/", views.download_consent, name="download_consent"),
    path("p/<slug:slug>/settings/consent/", views.consent_text, name="consent_text"),
]
