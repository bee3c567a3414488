"""Every address of the pages of reports, and who may use it."""

from __future__ import annotations

ANNOTATOR, EXPERT, REVIEWER, ADMIN = "anna", "emil", "rita", "ada"
WATCHING = {EXPERT, REVIEWER, ADMIN}
EVERY_MEMBER = {ANNOTATOR, *WATCHING}

# Each page of reports: who may read it, and who may have it recomputed.
REPORT_PAGES = {
    "metrics": (WATCHING, WATCHING),
    "caption-sets": ({ADMIN}, {ADMIN}),
    "leaderboard": (WATCHING, WATCHING),
    "correlation": (WATCHING, WATCHING),
    "agreement": (WATCHING, {ADMIN}),
    "recall": (WATCHING, WATCHING),
    "capst": (WATCHING, WATCHING),
    "leakage": (WATCHING, WATCHING),
    "retrieval": (WATCHING, WATCHING),
    "ratings": (WATCHING, WATCHING),
    "threshold": ({ADMIN}, {ADMIN}),
    "identification": (WATCHING, {ADMIN}),
    "assessment": (WATCHING, {ADMIN}),
    "reliability": ({ADMIN}, {ADMIN}),
    "programs": ({ADMIN}, {ADMIN}),
    "corpus/statistics": (EVERY_MEMBER, {ADMIN}),
    "reports": (WATCHING, WATCHING),
}
# What an address names after the page, by its key in the world; a report alone has to be named.
REPORT_SUBJECTS = {
    "leaderboard": "round_id",
    "correlation": "round_id",
    "metrics": "version",
    "reports": "report_id",
}
REPORT_FILES = {
    "recall": ("recall.csv", "recall.json", "recall-curve.csv"),
    "assessment": ("assessment.csv", "assessment.json", "assessment.tex"),
    "corpus/statistics": (
        *("statistics.csv", "statistics.tex", "statistics.json"),
        *("table-1.csv", "table-1.tex", "table-1.json"),
    ),
    "retrieval": ("map.csv", "map.json"),
    "metrics": ("overlap.csv", "overlap.tex", "overlap.json"),
    "leaderboard round_id": ("ratings.csv", "ratings.json", "votes.csv", "votes.json"),
    "metrics version": ("overlap.csv", "overlap.tex", "overlap.json"),
    "reports report_id": ("report.json",),
}
# The same lines decide on each file of a page.
FURTHER_FILES = {
    f"review:report_file {page} {file}"
    for page, (_, *files) in REPORT_FILES.items()
    for file in files
}


def report_addresses() -> dict[str, tuple[str, set[str]]]:
    """Such as "review:report_file leaderboard round_id votes.csv": the address's name, the page,
    its subject where it has one, and the file."""
    rows = {}
    for page, (readers, recomputers) in REPORT_PAGES.items():
        subject = REPORT_SUBJECTS.get(page)
        for place in (page, f"{page} {subject}") if subject else (page,):
            if place == "reports":
                continue
            rows[f"review:report_page {place}"] = ("get", readers)
            rows[f"review:report_live {place}"] = ("get", readers)
            rows[f"review:recompute_report {place}"] = ("post", recomputers)
            for file in REPORT_FILES.get(place, ()):
                rows[f"review:report_file {place} {file}"] = ("get", readers)
    return rows
