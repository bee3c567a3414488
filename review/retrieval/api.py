"""The API of imported vectors of clips and captions."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.datasets.faults import Fault
from annotate.jobs.api import FaultSerializer
from review import access
from review.retrieval.access import vector_set
from review.retrieval.exchange import import_vectors, remove_vector_set
from review.retrieval.forms import ImportForm
from review.retrieval.models import VectorSet

TAG = "Vectors"


class VectorSetSerializer(RowSerializer[VectorSet]):
    class Meta:
        model = VectorSet
        fields = ("id", "name", "dimension", "file_name", "created_at")


class ImportedVectorSetSerializer(VectorSetSerializer):
    left_out = FaultSerializer(many=True, help_text="Rows with an error, if they are left out.")

    class Meta:
        model = VectorSet
        fields = (*VectorSetSerializer.Meta.fields, "left_out")


class VectorSets(ApiView):
    @operation(gives=VectorSetSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[VectorSet]:
        """List imported vectors. The newest first. For admins."""
        return VectorSet.objects.filter(project=access.admin(asker, slug).project, is_used=True)

    @operation(
        gives=ImportedVectorSetSerializer,
        takes=body_of("VectorFile", ImportForm),
        status=201,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Import vectors. Of clips and captions by one model, all rows or the good ones."""
        project = access.admin(asker, slug).project
        form = checked_form(ImportForm(project, self.typed(), self.files()))
        vectors = form.cleaned_data["vectors"]
        left_out: list[Fault] = []
        made = import_vectors(
            project=project,
            file=vectors.file,
            file_name=vectors.name,
            name=form.cleaned_data["name"],
            release=form.cleaned_data["release"],
            left_out=left_out if form.cleaned_data["skips_bad"] else None,
            admin=asker.user,
        )
        stored = {name: getattr(made, name) for name in VectorSetSerializer.Meta.fields}
        return {**stored, "left_out": left_out}


class VectorSetView(ApiView):
    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, vector_set_id: int) -> Any:
        """Remove imported vectors. Reports that used them stay."""
        chosen = vector_set(asker, slug, vector_set_id)
        remove_vector_set(vector_set=chosen, admin=asker.user)


ALL = "projects/<slug:slug>/vector-sets/"
urlpatterns = [
    path(ALL, VectorSets.as_view(), name="vector_sets"),
    path(f"{ALL}<int:vector_set_id>/", VectorSetView.as_view(), name="vector_set"),
]
