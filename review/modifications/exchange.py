"""Modification texts and in-context examples, as tables (docs/formats.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotate.datasets.faults import Faults
from annotate.models import ActionLabel, Project, User, WorkItem
from inference.queries import BATCH_SIZE
from review.exchange.tables import Choices, Plan, Row, Table, counted, is_storable
from review.modifications.models import ImportedText, Modification, ModificationPrompt
from review.modifications.prompt_changes import current_prompt, save_prompt
from review.modifications.prompts import EXAMPLE_PARTS, MAX_EXAMPLES
from review.modifications.queries import IN_USE, rejected_keys, word_limits
from review.modifications.services import MODIFY, open_modifications
from review.modifications.text import MAX_TEXT_LENGTH, problem_with
from review.pairs.exchange import PairFinder
from review.pairs.models import LabelPair

State = Modification.State
MAX_ORIGIN_LENGTH = 200
MAX_DOMAIN_LENGTH = 40
# A direction has at most one text in these states.
CURRENT = (State.WAITING, State.ACCEPTED)


@dataclass(frozen=True)
class ReadText:
    pair: int
    source: ActionLabel
    target: ActionLabel
    text: str
    state: str
    origin: Mapping[str, str]

    def unsaved(self) -> Modification:
        return Modification(
            pair_id=self.pair,
            source=self.source,
            target=self.target,
            text=self.text,
            state=self.state,
        )


def _text_rows(project: Project, choices: Choices) -> Iterator[tuple[object, ...]]:
    texts = (
        Modification.objects.filter(pair__project=project)
        .select_related("source", "target", "model", "prompt", "imported")
        .order_by("source__key", "target__key", "pk")
    )
    for text in texts.iterator():
        imported = getattr(text, "imported", None)
        origin = (
            (imported.source, imported.model, imported.prompt)
            if imported
            else (
                f"Vericap, {project.slug}",
                text.model.name if text.model else "",
                str(text.prompt) if text.prompt else "",
            )
        )
        yield text.source.key, text.target.key, text.state, text.text, *origin


def _plan_texts(project: Project, rows: Sequence[Row], faults: Faults, choices: Choices) -> Plan:
    finder = PairFinder(project, faults)
    stored: dict[tuple[int, int], set[tuple[str, str]]] = defaultdict(set)
    of_project = Modification.objects.filter(pair__project=project)
    for pair, source, state, text in of_project.values_list("pair", "source", "state", "text"):
        stored[pair, source].add((state, text))
    rejected = rejected_keys(project)
    current: dict[tuple[int, int], str] = {}
    new: list[ReadText] = []
    for where, cells in rows:
        read = _read_text(project, finder, where, cells, choices)
        if read is None:
            continue
        direction = (read.pair, read.source.pk)
        if (read.state, read.text) in stored[direction]:
            continue
        if read.state in CURRENT:
            taken = [text for state, text in stored[direction] if state in CURRENT]
            if taken:
                mend = f"This direction has “{taken[0]}” here. Remove the row, or change that text."
                faults.add(where, "text", mend)
                continue
            earlier = current.setdefault(direction, where)
            if earlier != where:
                mend = f"This direction has a text at {earlier} already. Keep one."
                faults.add(where, "text", mend)
                continue
            if read.state == State.WAITING and direction in rejected:
                mend = "People rejected this direction. Let somebody else write it first."
                faults.add(where, "state", mend)
                continue
        new.append(read)

    def store(admin: User | None) -> None:
        created = Modification.objects.bulk_create(
            [text.unsaved() for text in new], batch_size=BATCH_SIZE
        )
        ImportedText.objects.bulk_create(
            [
                ImportedText(modification=text, **read.origin)
                for read, text in zip(new, created, strict=True)
            ],
            batch_size=BATCH_SIZE,
        )
        for read in new:
            _follow(project, read)

    states = [text.state for text in new]
    sentences = [
        f"{counted(states.count(State.ACCEPTED), 'text is', 'texts are')} added as accepted and "
        f"{counted(states.count(State.WAITING), 'as a draft', 'as drafts')}, each with its source.",
    ]
    if past := len(new) - sum(state in CURRENT for state in states):
        sentences.append(f"{counted(past, 'earlier text is', 'earlier texts are')} added.")
    return Plan(len(new), sentences, store)


def _follow(project: Project, read: ReadText) -> None:
    """Close the work on a direction that has an accepted text now; open it for a draft."""
    if read.state == State.WAITING:
        open_modifications(LabelPair.objects.get(pk=read.pair))
    elif read.state == State.ACCEPTED:
        WorkItem.objects.filter(
            project=project,
            kind=MODIFY,
            subject=read.pair,
            clip__label=read.source,
            state=WorkItem.State.OPEN,
        ).update(state=WorkItem.State.CANCELLED)


def _read_text(
    project: Project, finder: PairFinder, where: str, cells: Mapping[str, str], choices: Choices
) -> ReadText | None:
    """Return the text of a row, or None with its faults."""
    faults = finder.faults
    ends = finder.stored(where, cells)
    state, text = cells["state"], " ".join(cells["text"].split())
    if state not in State.values:
        faults.add(where, "state", f"Give one of {', '.join(State.values)}.")
        return None
    origin = {name: cells.get(name, "") for name in ("source", "model", "prompt")}
    if not origin["source"]:
        faults.add(where, "source", "Say where the text comes from, such as “TF-CoVR 1.0”.")
        return None
    for name, cell in origin.items():
        if len(cell) > MAX_ORIGIN_LENGTH:
            faults.add(where, name, f"Shorten it to {MAX_ORIGIN_LENGTH} characters.")
            return None
    limits = word_limits(project)
    problem = problem_with(text, limits) if state in CURRENT else ""
    if problem or not text or len(text) > MAX_TEXT_LENGTH:
        faults.add(where, "text", problem or f"Give a text of 1 to {MAX_TEXT_LENGTH} characters.")
        return None
    if ends is None or not is_storable(where, dict(cells), faults):
        return None
    source, target, pair = ends
    if state in CURRENT and pair.kind not in IN_USE:
        mend = "The pair is not decided as a change here. Import its decision first."
        faults.add(where, "label2", mend)
        return None
    if choices.as_drafts and state == State.ACCEPTED:
        state = State.WAITING
    return ReadText(pair.key, source, target, text, state, origin)


def _example_rows(project: Project, choices: Choices) -> Iterator[tuple[object, ...]]:
    """Yield the examples of each domain's newest prompt, in their order."""
    prompts = ModificationPrompt.objects.filter(project=project).order_by("domain", "version")
    newest = {prompt.domain: prompt.examples for prompt in prompts}
    for domain, examples in sorted(newest.items()):
        for example in examples:
            yield domain, *(example[part] for part in EXAMPLE_PARTS)


def _plan_examples(project: Project, rows: Sequence[Row], faults: Faults, choices: Choices) -> Plan:
    limits = word_limits(project)
    prompts: dict[str, ModificationPrompt] = {}
    added: dict[str, list[dict[str, str]]] = defaultdict(list)
    for where, cells in rows:
        domain = cells["domain"]
        example = {
            part: " ".join(cells[column].split())
            for part, column in zip(EXAMPLE_PARTS, EXAMPLE_COLUMNS, strict=True)
        }
        if len(domain) > MAX_DOMAIN_LENGTH:
            faults.add(where, "domain", f"Shorten it to {MAX_DOMAIN_LENGTH} characters.")
        elif refused := _refused_example(example):
            faults.add(where, *refused)
        elif problem := problem_with(example["modification"], limits):
            faults.add(where, "modification", problem)
        elif is_storable(where, cells, faults):
            prompt = prompts.setdefault(domain, current_prompt(project, domain))
            if example in [*prompt.examples, *added[domain]]:
                continue
            if len(prompt.examples) + len(added[domain]) == MAX_EXAMPLES:
                mend = f"A prompt has at most {MAX_EXAMPLES} examples. Remove some."
                faults.add(where, "domain", mend)
                continue
            added[domain].append(example)

    def store(admin: User | None) -> None:
        for domain, examples in added.items():
            prompt = prompts[domain]
            if examples:
                save_prompt(
                    project=project,
                    domain=domain,
                    instruction=prompt.instruction,
                    examples=[*prompt.examples, *examples],
                    author=admin,
                )

    sentences = [
        f"{domain or 'Any domain'}: {counted(len(examples), 'example is', 'examples are')} added, "
        "as a new version of the prompt."
        for domain, examples in sorted(added.items())
        if examples
    ]
    return Plan(sum(map(len, added.values())), sentences, store)


def _refused_example(example: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the column and the fix of the first cell that can't be an example's."""
    for column, cell in zip(EXAMPLE_COLUMNS, example.values(), strict=True):
        if not cell:
            return column, "It is empty. Fill it in."
        if len(cell) > MAX_TEXT_LENGTH:
            return column, f"Shorten it to {MAX_TEXT_LENGTH} characters (it has {len(cell)})."
    return None


EXAMPLE_COLUMNS = ("from", "to", "modification")
TEXTS = Table(
    key="modifications",
    title="Modification texts",
    about="The text of each direction with its state, model, version of the prompt, and source.",
    columns=("label1", "label2", "state", "text", "source", "model", "prompt"),
    needed=5,
    empty="There are no modification texts yet.",
    rows=_text_rows,
    plan=_plan_texts,
)
EXAMPLES = Table(
    key="examples",
    title="In-context examples",
    about="The examples in the newest prompt of each domain.",
    columns=("domain", *EXAMPLE_COLUMNS),
    needed=4,
    empty="No prompt has examples yet.",
    rows=_example_rows,
    plan=_plan_examples,
)
