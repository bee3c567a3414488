"""The API of pay."""

from review.pay.api import entries, terms

urlpatterns = [*entries.urlpatterns, *terms.urlpatterns]
