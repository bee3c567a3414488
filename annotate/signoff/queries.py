"""Queries about which final texts experts have signed off."""

from __future__ import annotations

from annotate.models import Assignment, FinalTexts, Project, SignOff

Trio = tuple[int, int, int]


def texts_to_sign(assignment: Assignment) -> FinalTexts | None:
    """Return the texts that the work is about, with their captions."""
    return (
        FinalTexts.objects.select_related("general", "spatial", "temporal")
        .filter(pk=assignment.item.subject, clip=assignment.item.clip_id)
        .first()
    )


def experts_who_agreed(project: Project) -> dict[Trio, list[int]]:
    """Return, by the keys of a clip's general, spatial and temporal caption, the experts who have
    signed these off, first to last."""
    experts: dict[Trio, list[int]] = {}
    rows = SignOff.objects.filter(texts__clip__project=project, verdict=SignOff.Verdict.AGREE)
    for expert, *captions in rows.order_by("pk").values_list(
        "expert", "texts__general", "texts__spatial", "texts__temporal"
    ):
        general, spatial, temporal = captions
        experts.setdefault((general, spatial, temporal), []).append(expert)
    return experts
