from django.urls import include, path

from config.favicon import favicon

urlpatterns = [
    path("favicon.ico", favicon, name="favicon"),
    path("accounts/", include("config.accounts")),
    path("", include("annotate.urls")),
    path("", include("inference.urls")),
    path("", include("review.urls")),
]
