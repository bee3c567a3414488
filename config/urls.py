from django.urls import include, path

urlpatterns = [
    path("accounts/", include("config.accounts")),
    path("", include("annotate.urls")),
    path("", include("review.urls")),
]
