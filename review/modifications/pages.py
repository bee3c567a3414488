"""The pages of a project's modifications and of their prompts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.forms import BaseFormSet
from django.http import Http404, QueryDict

from annotate.models import ActionLabel, Membership, Project, WorkItem
from inference.registry import Role
from review.modifications.first_examples import first_examples
from review.modifications.forms import (
    ExampleFormSet,
    ExampleRow,
    PasteForm,
    PromptForm,
    WriteForm,
)
from review.modifications.models import Modification, ModificationPrompt
from review.modifications.prompt_changes import current_prompt, current_prompts
from review.modifications.queries import (
    OUTDATED,
    latest_runs,
    modifications_page,
    outdated_texts,
    rejected_directions,
    texts_by_state,
    waiting_by_domain,
    word_limits,
    work_by_state,
)
from review.pairs.forms import models_with

State = Modification.State
KEY = re.compile(r"\d{1,18}", re.ASCII)
MAX_KEYS = 50
NAMES = {
    State.ACCEPTED: "Accepted",
    State.WAITING: "Proposed by a model",
    State.EDITED: "Edited",
    State.REJECTED: "Rejected",
}


def modifications_context(
    membership: Membership, query: QueryDict, *, form: WriteForm | None = None
) -> dict[str, Any]:
    project = membership.project
    state = query.get("state", "")
    state = state if state in [*State.values, OUTDATED] else ""
    keys = [int(key) for key in query.getlist("text")[:MAX_KEYS] if KEY.fullmatch(key)]
    texts, work = texts_by_state(project), work_by_state(project)
    outdated = outdated_texts(project)
    waiting = waiting_by_domain(project)
    writers = models_with(Role.TEXT, project.pk)
    return {
        "project": project,
        "limits": word_limits(project),
        "membership": membership,
        "page": modifications_page(project, state, keys, query.get("page")),
        "state": state,
        "are_chosen": bool(keys),
        "may_change": membership.is_admin or membership.is_expert,
        "query": f"state={state}" if state else "",
        "states": [
            *((value, name, texts.get(value, 0)) for value, name in NAMES.items()),
            *([(OUTDATED, "Outdated", outdated)] if outdated or state == OUTDATED else []),
        ],
        "texts": sum(texts.values()),
        "asked": sum(work.values()) - work.get(WorkItem.State.CANCELLED, 0),
        "done": work.get(WorkItem.State.DONE, 0),
        "domains": [
            (domain, waiting.get(domain, 0), prompt)
            for domain, prompt in current_prompts(project, domains_of(membership)).items()
        ],
        "writers": writers,
        "form": form or WriteForm(models=writers),
        "rejected": rejected_directions(project),
        **runs_context(membership),
    }


def runs_context(membership: Membership) -> dict[str, Any]:
    """Return the runs of text models, which the page polls while one is active."""
    runs = latest_runs(membership.project)
    return {
        "project": membership.project,
        "membership": membership,
        "runs": runs,
        "is_writing": any(run.run.is_active for run in runs),
    }


def domains_of(membership: Membership) -> list[str]:
    labels = ActionLabel.objects.filter(project=membership.project).order_by()
    return sorted(set(labels.values_list("domain", flat=True).distinct()))


def example_rows(
    project: Project,
    data: QueryDict | None = None,
    initial: Sequence[Mapping[str, str]] | None = None,
) -> BaseFormSet[ExampleRow]:
    """Return the rows of a prompt's examples. `data`: the submitted form, if any."""
    limits = {"limits": word_limits(project)}
    return ExampleFormSet(data, prefix="examples", form_kwargs=limits, initial=initial)


def prompts_context(
    membership: Membership,
    domain: str,
    version: str = "",
    *,
    form: PromptForm | None = None,
    rows: BaseFormSet[ExampleRow] | None = None,
) -> dict[str, Any]:
    """Return one version to read, or the newest to edit. Raises Http404 for an unknown version."""
    project = membership.project
    stored = list(
        ModificationPrompt.objects.filter(project=project, domain=domain)
        .select_related("created_by")
        .order_by("-version")
    )
    prompt = stored[0] if stored else current_prompt(project, domain)
    if version:
        chosen = [prompt for prompt in stored if str(prompt.version) == version]
        if not chosen:
            raise Http404("This version doesn't exist.")
        prompt = chosen[0]
    is_newest = not stored or prompt == stored[0]
    return {
        "project": project,
        "membership": membership,
        "domain": domain,
        "domains": domains_of(membership),
        "prompt": prompt,
        "versions": stored,
        "is_newest": is_newest,
        "may_save": is_newest and (membership.is_admin or membership.is_expert),
        "form": form or PromptForm(initial={"domain": domain, "instruction": prompt.instruction}),
        "paste": PasteForm(),
        "has_first_examples": bool(first_examples(domain)),
        "rows": rows or example_rows(project, initial=prompt.examples),
    }
