from django.urls import include, path

from annotate.api.reference import openapi, reference
from config.favicon import favicon

handler500 = "config.errors.server_error"
urlpatterns = [
    path("favicon.ico", favicon, name="favicon"),
    path("accounts/", include("config.accounts")),
    path("api/", reference, name="api_reference"),
    path("api/openapi.json", openapi, name="api_schema"),
    path("api/v1/", include("config.api")),
    path("", include("annotate.urls")),
    path("", include("inference.urls")),
    path("", include("review.urls")),
]
