"""The API of the consent text. People agree on the page that shows the text."""

from __future__ import annotations

from django.http import Http404
from django.urls import path

from annotate import access
from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.consent.forms import ConsentTextForm
from annotate.consent.queries import current_text
from annotate.consent.services import write_consent_text
from annotate.models import Role
from annotate.models.consent import ConsentText

TAG = "Projects"


class ConsentTextSerializer(RowSerializer[ConsentText]):
    class Meta:
        model = ConsentText
        fields = ("number", "text", "asks_again", "created_at")


class ConsentTextView(ApiView):
    @operation(gives=ConsentTextSerializer)
    def get(self, asker: UserRequest, slug: str) -> ConsentText:
        """Show the consent text. 404 if the project never had one."""
        text = current_text(access.member(asker, slug).project)
        if text is None:
            raise Http404
        return text

    @operation(
        gives=ConsentTextSerializer, takes=body_of("NewConsentText", ConsentTextForm), scope=ADMIN
    )
    def put(self, asker: UserRequest, slug: str) -> ConsentText:
        """Write the consent text. `base_number` is the version that was edited, 0 without one."""
        project = access.member(asker, slug, Role.ADMIN).project
        written = checked_form(ConsentTextForm(self.typed())).cleaned_data
        return write_consent_text(
            project=project,
            admin=asker.user,
            text=written["text"].replace("\r\n", "\n").strip(),
            asks_again=written["asks_again"],
            base_number=written["base_number"],
        )


urlpatterns = [
    path("projects/<slug:slug>/consent-text/", ConsentTextView.as_view(), name="consent_text")
]
