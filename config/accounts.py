"""The part of allauth that Vericap uses: signing in and out, and one's password."""

from allauth.account import views
from django.urls import path, re_path

from annotate.accounts.views import password_reset

urlpatterns = [
    path("sign-in/", views.login, name="account_login"),
    path("sign-out/", views.logout, name="account_logout"),
    path("sign-up/", views.signup, name="account_signup"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("password/change/", views.password_change, name="account_change_password"),
    path("password/reset/", password_reset, name="account_reset_password"),
    path("password/reset/sent/", views.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/done/",
        views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
]
