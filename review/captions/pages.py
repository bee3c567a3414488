"""The pages about model captions: the list, and one set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import QueryDict

from annotate.access import UserRequest
from annotate.corpus.blindness import hidden_captions
from annotate.jobs.file_imports import last_import
from annotate.lists.columns import Column
from annotate.lists.pages import list_menu
from annotate.models import Caption, Membership
from annotate.text.words import count_words
from inference.runs.pages import outdated_results
from review.captions.exchange import KINDS
from review.captions.forms import FilterForm, ImportForm, RunSetForm
from review.captions.import_job import IMPORT_PREDICTIONS
from review.captions.instructions import instructions_of, told_themes_sentence
from review.captions.models import CaptionSet, SetCaption
from review.captions.overlap_page import COLUMNS, few_overlaps, overlap_rows
from review.captions.queries import captions_of, listed_sets
from review.captions.references import human_references
from review.captions.report import KIND
from review.reports.instructions import Instructions, theme_notice
from review.reports.page import ReportPage
from review.reports.state import ASKED_FOR

PAGE_SIZE = 20
LIST_COLUMNS = (
    Column("kind", "Kind"),
    Column("from", "From"),
    Column("clips", "Clips"),
    Column("words", "Mean words"),
    Column("added", "Added"),
)


@dataclass(frozen=True)
class ListedSet:
    caption_set: CaptionSet
    kind_name: str
    asked: Instructions


@dataclass(frozen=True)
class ListedCaption:
    """A model's caption of a clip, and the human one if it can be shown."""

    set_caption: SetCaption
    is_hidden: bool
    human: str
    human_words: int


class CaptionSetsPage(ReportPage[None]):
    """Only for admins: names are beside texts here, and voters must stay blind."""

    key = "caption-sets"
    title = "Model captions"
    template = "review/captions/caption_sets.html"
    kinds = (KIND,)
    for_admins = True
    due_words = ASKED_FOR

    def context(
        self,
        membership: Membership,
        query: QueryDict,
        subject: None = None,
        *,
        run_form: RunSetForm | None = None,
        import_form: ImportForm | None = None,
    ) -> dict[str, Any]:
        """`run_form`, `import_form`: invalid forms, shown again."""
        context = _sets_context(membership, run_form, import_form)
        return context | {"state": self.state(membership.project)}

    def menu(self, membership: Membership, request: UserRequest) -> dict[str, Any]:
        return list_menu(membership, self.key, request, columns=LIST_COLUMNS)


PAGE = CaptionSetsPage()


def _sets_context(
    membership: Membership,
    run_form: RunSetForm | None,
    import_form: ImportForm | None,
) -> dict[str, Any]:
    project = membership.project
    sets = list(listed_sets(project))
    instructions = {caption_set.pk: instructions_of(caption_set) for caption_set in sets}
    last = last_import(project.pk, IMPORT_PREDICTIONS)
    rows = overlap_rows(project, [caption_set for caption_set in sets if caption_set.is_used])
    return {
        "membership": membership,
        "sets": [
            ListedSet(caption_set, KINDS[caption_set.kind], instructions[caption_set.pk])
            for caption_set in sets
        ],
        "rows": rows,
        "overlap_warning": few_overlaps(rows),
        "columns": COLUMNS,
        "run_form": run_form or RunSetForm(project),
        "import_form": import_form or ImportForm(project, initial=last.typed if last else None),
        "last_import": last,
        "can_compare": sum(caption_set.is_used for caption_set in sets) > 1,
        "project": project,
        "asked_models": list(instructions.values()),
        "asked_notice": theme_notice(
            instructions[caption_set.pk] for caption_set in sets if caption_set.is_used
        ),
    }


def set_context(
    membership: Membership, caption_set: CaptionSet, form: FilterForm, page: str | None
) -> dict[str, Any]:
    project = membership.project
    captions = _page_of_captions(caption_set, form.words, page)
    clips = [caption.clip_id for caption in captions]
    references = human_references(project, caption_set.kind, clips)
    texts = dict(Caption.objects.filter(pk__in=references.values()).values_list("pk", "text"))
    hidden = set(
        hidden_captions(
            membership,
            Caption.objects.filter(pk__in=[*texts, *(caption.caption_id for caption in captions)]),
        ).values_list("pk", flat=True)
    )
    listed = []
    for set_caption in captions:
        reference = references.get(set_caption.clip_id, 0)
        human = "" if reference in hidden else texts.get(reference, "")
        is_hidden = set_caption.caption_id in hidden
        listed.append(ListedCaption(set_caption, is_hidden, human, count_words(human)))
    asked = instructions_of(caption_set)
    rows = overlap_rows(project, [caption_set])
    return {
        "membership": membership,
        "caption_set": caption_set,
        "kind_name": KINDS[caption_set.kind],
        "told_themes": told_themes_sentence(caption_set),
        "outdated": outdated_results(caption_set.run) if caption_set.run else [],
        "rows": rows,
        "overlap_warning": few_overlaps(rows),
        "columns": COLUMNS,
        "form": form,
        "page": captions,
        "captions": listed,
        "query": urlencode({"q": form.words}) if form.words else "",
        "asked_models": [asked],
        "asked_notice": theme_notice([asked]),
        "project": project,
        "state": PAGE.state(project),
    }


def _page_of_captions(caption_set: CaptionSet, words: str, number: str | None) -> Page[SetCaption]:
    """Return a page whose keys are read before anything else about its captions."""
    keys: QuerySet[Any, Any] = captions_of(caption_set, words).values_list("pk", flat=True)
    pages = Paginator(keys, PAGE_SIZE)
    if not words:
        pages.count = caption_set.clip_count
    page = pages.get_page(number)
    rows = SetCaption.objects.select_related("clip", "caption").in_bulk(page.object_list)
    page.object_list = [rows[key] for key in page.object_list]
    return page
