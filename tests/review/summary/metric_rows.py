"""Stored reports with numbers of one's choice, as rows alone, for tests of what is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.utils import timezone

from annotate.models import Project
from review.captions.models import CaptionSet
from review.comparisons.models import Round, System
from review.leaderboard.report import METHOD as LEADERBOARD_METHOD
from review.reports.models import Report
from review.retrieval.models import VectorSet

WAYS = ("t2v", "v2t")
# Enough for intervals and a best number.
CLIPS = 12
RATED = {
    **{"round": 1, "cast": 2, "models": 2, "reviewers": 2, "clips": CLIPS},
    **{"initial": 1000, "k": 4, "base": 10, "scale": 400, "floor": 500},
    **{"both_bad": "tie", "replays": 100, "interval": "sandwich"},
    **{"prompts": "0 and 2 unknown", "theme": "told 0 of 2", "asked": "0" * 8},
}
ASKED = {"prompt": "unknown", "frames": "unknown", "theme": "unknown"}


def stored(project: Project, name: str, subject: str, result: dict[str, Any], **fields: Any):
    number = Report.objects.count()
    return Report.objects.create(
        **{
            "project": project,
            "name": name,
            "subject": subject,
            "result": result,
            "inputs": CLIPS,
            "code_version": f"metrics.{name} 1",
            "inputs_hash": sha256(f"{name} {subject} {number}".encode()).hexdigest(),
            "signature": f"{name}|subject:{subject}|number:{number}",
            **fields,
        }
    )


def shares(first: float | None, fifth: float = 0.8, tenth: float = 0.9) -> dict[str, Any]:
    return {"1": first, "5": fifth, "10": tenth}


def way(
    first: float | None,
    by_category: Mapping[str, float] | None = None,
    gallery: int = 100,
    queries: int = CLIPS,
) -> dict[str, Any]:
    return {
        "recall": shares(first),
        "n_queries": queries,
        "n_gallery": gallery,
        "by_category": {
            name: {"n_queries": 1, "recall": shares(share)}
            for name, share in (by_category or {}).items()
        },
        "curve": {
            "hits": [round((first or 0) * queries)], "low": [], "high": [], "n_videos": queries,
        },
    }  # fmt: skip


def recall_of(
    project: Project,
    model: str,
    t2v: float | None = 0.5,
    v2t: float | None = 0.25,
    *,
    kinds: Sequence[str] = ("general",),
    categories: Mapping[str, float] | None = None,
    subject: str = "",
    frames: str = "32 frames, evenly spread",
    gallery: int = 100,
    queries: int = CLIPS,
    **fields: Any,
) -> Report:
    """Recall of a model. `categories`: each with its R@1, the same in both directions."""
    kinds_found = {
        kind: {
            "t2v": way(t2v, categories, gallery, queries),
            "v2t": way(v2t, categories, gallery, queries),
        }
        for kind in kinds
    }
    parameters = {
        **{"model": model, "frames": frames, "captions": "all", "k": "1,5,10"},
        **{"clips": CLIPS, **dict.fromkeys(kinds, CLIPS)},
    }
    result = {"kinds": kinds_found, "space": "a" * 64, "without": {}, "sampling": {}}
    return stored(
        project, "recall", subject or sha256(f"{model}{frames}".encode()).hexdigest()[:57],
        result, **{"parameters": parameters, **fields},
    )  # fmt: skip


def rebias_of(
    project: Project,
    recall: Report,
    table5: float | None = 20.0,
    ends: tuple[float, float] = (10.0, 30.0),
    *,
    videos: int = CLIPS,
) -> Report:
    interval = {"low": ends[0], "high": ends[1], "n_defined": 1000, "reason": ""}
    result = {
        "table5": table5,
        "equation1": 16.5,
        "reason": "" if table5 is not None else "The mean temporal recall is 0.",
        "intervals": {"table5": interval, "equation1": interval},
        "n_videos": videos,
    }
    return stored(project, "rebias", recall.subject, result, parameters=recall.parameters)


def estimate(value: float | None, **more: Any) -> dict[str, Any]:
    ends = (None, None) if value is None else (value / 2, value * 1.5)
    reason = "No sample has an element." if value is None else ""
    ends_and_reason = {"low": ends[0], "high": ends[1], "reason": reason}
    return {"value": value, **ends_and_reason, "n_defined": 1000, **more}


def branch(f1: float | None, elements: int = 6, clips: int = CLIPS) -> dict[str, Any]:
    counts = dict.fromkeys(("n_empty", "n_failed", "n_dropped", "n_over_limit"), 0)
    counts |= dict.fromkeys(("n_entailed", "n_neutral", "n_contradicted"), 0)
    counts |= {"n": clips, "n_elements": elements}
    return {
        "f1": estimate(f1),
        "recall": estimate(f1, **counts),
        "precision": estimate(f1, **counts),
    }


def capst_of(
    project: Project,
    name: str,
    events: float | None = 0.25,
    objects: float | None = 0.5,
    *,
    preset: str = "default",
    categories: Mapping[str, int] | None = None,
    run: int = 1,
    judge: str = "Word overlap",
    clips: int = CLIPS,
    in_category: int = CLIPS,
    **fields: Any,
) -> Report:
    """CapST of a new set of captions. `categories`: each with the elements of its captions, which
    are `in_category`."""
    captions = captions_of(project, name)
    result = {
        "events": branch(events, clips=clips),
        "objects": branch(objects, clips=clips),
        "n_samples": clips,
        "n_failed": 0,
        "by_category": {
            category: {
                "events": branch(events, n, in_category),
                "objects": branch(objects, 2 * n, in_category),
                "n_samples": in_category,
                "n_failed": 0,
            }
            for category, n in (categories or {}).items()
        },
        "run": run,
        "references": [],
        "category_marks": [],
    }  # fmt: skip
    parameters = {
        **{"captions": name, **ASKED, "preset": preset, "run": run, "clips": clips},
        **{"references": "general", "extractor": "Word overlap", "judge": judge},
        **{"failed": 0, "checked": "0/1", "bootstrap": 1000},
    }
    return stored(
        project, "capst", f"{captions.pk}:{preset}", result,
        **{"parameters": parameters, **fields},
    )  # fmt: skip


def captions_of(project: Project, name: str) -> CaptionSet:
    return CaptionSet.objects.get_or_create(
        project=project, name=name, defaults={"kind": "general"}
    )[0]


def overlap_of(
    project: Project, name: str, references: str = "", *, clips: int = CLIPS, kind: str = "general"
) -> Report:
    captions = captions_of(project, name)
    result = {
        metric: estimate(value)
        for metric, value in (("bleu4", 4.0), ("meteor", 20.0), ("rouge_l", 24.0), ("cider", 1.5))
    }
    result |= {"n": clips, "missing": 0, "without_reference": 0}
    result |= {"mean_words": 30.0, "mean_reference_words": 40.0}
    return stored(
        project, "overlap", str(captions.pk), result,
        parameters={
            **{"model": name, "set": captions.pk, "kind": kind, **ASKED},
            **{"references": references, "bootstrap": 1000},
            **dict.fromkeys(("words", "bleu4", "meteor", "rouge_l", "cider"), "as usual"),
        },
    )  # fmt: skip


def ratings_of(project: Project, *, clips: int = CLIPS, **models: float) -> Report:
    """A round whose models have these ratings by Bradley-Terry, and 10 more by Elo."""
    round = Round.objects.create(
        project=project, kind="prediction", votes_per_pair=1, ended_at=timezone.now()
    )
    keys = {}
    for name in models:
        captions = captions_of(project, f"{name}, round {round.pk}")
        keys[name] = str(System.objects.create(round=round, caption_set=captions, name=name).pk)
    rated = {keys[name]: rating for name, rating in models.items()}
    order = sorted(rated, key=lambda key: -rated[key])
    fitted = {
        "ratings": rated,
        "low": {key: rating - 50 for key, rating in rated.items()},
        "high": {key: rating + 50 for key, rating in rated.items()},
        "ranks": {key: place for place, key in enumerate(order, 1)},
        "reason": "",
    }
    elo = {
        "ratings": {key: rating + 10 for key, rating in rated.items()},
        "mean": {key: rating + 5 for key, rating in rated.items()},
        "sd": dict.fromkeys(rated, 3.0),
    }
    result = {
        "elo": elo,
        "bradley_terry": fitted,
        "stored": {"count": 2, "last": 2},
        "category_marks": [],
    }
    return stored(
        project, "leaderboard", str(round.pk), result,
        parameters={**RATED, "round": round.pk, "models": len(models), "clips": clips},
        code_version=LEADERBOARD_METHOD,
    )  # fmt: skip


def composed_of(project: Project, model: str) -> Report:
    scores = {
        baseline: {
            convention: {
                "map": {str(k): place / 10 for k in (5, 10, 25, 50)},
                "hits": {},
                "n_relevant": CLIPS,
            }
            for convention in ("circo", "unlimited", "tfcovr")
        }
        for place, baseline in enumerate(("query", "text", "average"), 1)
    }
    return stored(
        project, "map", sha256(model.encode()).hexdigest(), {"baselines": scores, "queries": []},
        parameters={"model": model, "triplets": 1, "queries": CLIPS, "gallery": CLIPS},
    )  # fmt: skip


def import_set(project: Project, name: str) -> VectorSet:
    return VectorSet.objects.create(
        project=project, name=name, dimension=2, file_name="care.npz", sha256="f" * 64
    )
