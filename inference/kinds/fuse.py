"""The full-video caption (LoVR, section 3.2.3): clip captions in order, joined at their edges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotate.corpus.precedence import current_captions
from annotate.errors import ItemFailed
from annotate.jobs.kinds import Lease, Outcome, StepsWork
from annotate.models import Caption
from inference.backends.protocols import BackendError
from inference.backends.usage import belonging_to
from inference.kinds.captions import record_machine_caption
from inference.kinds.side_by_side import ItemInProgress, keeping_error
from inference.loading import batch_size_of, load_model
from inference.models import FusionJoint, InferenceRun, RunItem
from inference.planning.options import FuseOptions
from inference.planning.prompts import join_prompt
from inference.planning.recipes import item_key, settings_of
from inference.queries import clips_to_describe, whole_clip
from inference.recipes import Recipe, read_recipe

LINES = re.compile(r"\s*\n\s*")


def open_work(run: InferenceRun) -> FuseWork:
    recipe = read_recipe(run.recipe)
    return FuseWork(run, recipe, load_model(settings_of(recipe.own_model)))


@dataclass(frozen=True)
class Fused:
    text: str
    parents: list[int]
    joints: int
    flagged: int


@dataclass(kw_only=True)
class Fusing(ItemInProgress):
    """A video with its captions in order. `fused`: the paragraphs so far, up to joint `number`,
    which is the next.
    """

    captions: list[Caption]
    fused: list[str]
    number: int = 0

    @property
    def n_joints(self) -> int:
        return len(self.captions) - 1

    @property
    def edges(self) -> tuple[str, str]:
        """Return the two paragraphs at the next joint."""
        return self.fused[-1], paragraphs(self.captions[self.number + 1].text)[0]

    def go_on(self, joint: FusionJoint) -> None:
        following = paragraphs(self.captions[self.number + 1].text)[1:]
        self.fused = [*self.fused[:-1], joint.joined_before, joint.joined_after, *following]
        self.number += 1


class FuseWork(StepsWork[RunItem, Fused]):
    """Joins the last paragraph of the text so far with the first of the next, and changes no other.

    The next joints of several videos are asked for at once. Every joint is committed, so a later
    attempt continues after the last one.
    """

    def __init__(self, run: InferenceRun, recipe: Recipe, joiner: Any) -> None:
        self.run = run
        self.model = recipe.own_model
        self.joiner = joiner
        self.options = FuseOptions.parse(recipe.options)
        self.batch_size = batch_size_of(settings_of(self.model))

    def do_all(
        self, items: Sequence[RunItem], leases: Sequence[Lease]
    ) -> Sequence[Fused | Exception]:
        held = enumerate(zip(items, leases, strict=True))
        fusing = [self._begin(item, lease, place) for place, (item, lease) in held]
        while waiting := [e for e in fusing if not e.error and e.number < e.n_joints]:
            self._join_all(waiting)
        return [each.error or self._fused(each) for each in fusing]

    def _begin(self, item: RunItem, lease: Lease, place: int) -> Fusing:
        progress = Fusing(item=item, lease=lease, place=place, captions=[], fused=[])
        with keeping_error(progress):
            progress.captions = self._captions(item)
            progress.fused = paragraphs(progress.captions[0].text)
            for joint in item.fusion_joints.order_by("number"):
                progress.go_on(joint)
        return progress

    def _fused(self, each: Fusing) -> Fused:
        flagged = each.item.fusion_joints.filter(is_flagged=True).count()
        text = "\n\n".join(each.fused)
        return Fused(text, [caption.pk for caption in each.captions], each.n_joints, flagged)

    def finish(self, item: RunItem, result: Fused) -> Outcome:
        caption = record_machine_caption(
            whole_clip(item.video),
            result.text,
            model=self.model,
            item=item,
            kind=Caption.Kind.FULL_VIDEO,
            parents=result.parents,
        )
        unjoined = f", {result.flagged} kept unjoined" if result.flagged else ""
        note = f"{caption.word_count} words, {result.joints} joints{unjoined}"
        return Outcome(note, values={"result_id": caption.pk})

    def _captions(self, item: RunItem) -> list[Caption]:
        clips = clips_to_describe(self.run.project).filter(video=item.video_id)
        newest = {c.clip_id: c for c in current_captions(clips)}
        ordered = list(clips.order_by("start_frame", "pk"))
        bare = [clip for clip in ordered if clip.pk not in newest]
        if bare:
            raise ItemFailed(
                "missing_captions",
                f"{len(bare)} of {len(ordered)} clips have no caption yet, the first is "
                f"{bare[0].name}. Caption them, then start a new fuse run.",
            )
        captions = [newest[clip.pk] for clip in ordered]
        inputs = ("video", item.video_id, *(caption.pk for caption in captions))
        if item_key(self.run.recipe_hash, *inputs) != item.key:
            raise ItemFailed(
                "changed",
                "The clips or their captions have changed since this run was started. "
                "Start a new fuse run.",
            )
        return captions

    def _join_all(self, fusing: Sequence[Fusing]) -> None:
        """Join and store the next joint of each; one that never comes right is kept unjoined."""
        for each in fusing:
            with keeping_error(each):
                each.lease.step(f"Joint {each.number + 1} of {each.n_joints}")
        waiting = [each for each in fusing if not each.error]
        for attempt in range(1, self.options.tries + 1):
            with belonging_to([each.place for each in waiting]):
                replies = self._ask([each.edges for each in waiting], attempt)
            unjoined = []
            for each, reply in zip(waiting, replies, strict=True):
                with keeping_error(each):
                    if isinstance(reply, BackendError) and (reply.transient or reply.concerns_all):
                        raise reply
                    if isinstance(reply, tuple) or attempt == self.options.tries:
                        each.go_on(self._store(each, reply, attempt))
                    else:
                        unjoined.append(each)
            waiting = unjoined

    def _store(
        self, each: Fusing, reply: tuple[str, str] | BackendError | None, tries: int
    ) -> FusionJoint:
        before, after = each.edges
        first, second = reply if isinstance(reply, tuple) else (before, after)
        reason = ""
        if not isinstance(reply, tuple):
            reason = str(reply or "The reply was not two paragraphs.")
        with each.lease.saving():
            return FusionJoint.objects.create(
                item=each.item,
                number=each.number,
                before=before,
                after=after,
                joined_before=first,
                joined_after=second,
                tries=tries,
                is_flagged=bool(reason),
                reason=reason[:500],
            )

    def _ask(
        self, edges: Sequence[tuple[str, str]], attempt: int
    ) -> Sequence[tuple[str, str] | BackendError | None]:
        """Return the two joined paragraphs for each pair, or None for a reply that isn't two."""
        if not edges:
            return []
        if hasattr(self.joiner, "join"):  # a rule without a prompt (plain-joiner)
            return [self._join_by_rule(before, after) for before, after in edges]
        replies = self.joiner.complete(
            [join_prompt(self.options.prompt, before, after) for before, after in edges],
            self.options.generation(attempt),
            system=self.options.system,
        )
        return [reply if isinstance(reply, BackendError) else _two(reply) for reply in replies]

    def _join_by_rule(self, before: str, after: str) -> tuple[str, str] | BackendError:
        try:
            first, second = self.joiner.join(before, after)
        except BackendError as error:
            return error
        return first, second


def _two(reply: str) -> tuple[str, str] | None:
    parts = paragraphs(reply)
    return (parts[0], parts[1]) if len(parts) == 2 else None


def paragraphs(text: str) -> list[str]:
    """Return the non-empty lines of a text, which LoVR's released merger takes as paragraphs."""
    return [part for part in LINES.split(text.replace("\x00", "").strip()) if part]
