from django.urls import path

from annotate.tokens import views

urlpatterns = [
    path("p/<slug:slug>/settings/api/", views.tokens, name="api_tokens"),
    path("p/<slug:slug>/settings/api/make/", views.make, name="make_api_token"),
    path(
        "p/<slug:slug>/settings/api/<int:token_id>/revoke/", views.revoke, name="revoke_api_token"
    ),
]
