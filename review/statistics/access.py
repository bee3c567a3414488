"""How views get the row of another benchmark."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin
from review.statistics.models import BenchmarkRow


def benchmark_row(request: UserRequest, slug: str, row_id: int) -> tuple[Membership, BenchmarkRow]:
    membership = admin(request, slug)
    row = get_object_or_404(BenchmarkRow, pk=row_id, project=membership.project)
    row.project = membership.project
    return membership, row
