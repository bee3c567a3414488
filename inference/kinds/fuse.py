"""The full-video caption (LoVR, section 3.2.3): clip captions in order, joined at their edges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from annotate.corpus.precedence import current_captions
from annotate.errors import ItemFailed
from annotate.jobs.kinds import Lease, Outcome, SingleWork
from annotate.models import Caption
from inference.backends.protocols import BackendError
from inference.kinds.captions import record_machine_caption
from inference.loading import load_model
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


class FuseWork(SingleWork[RunItem, Fused]):
    """Joins the last paragraph of the text so far with the first of the next, and changes no other.

    Every joint is committed, so a later attempt continues after the last one.
    """

    def __init__(self, run: InferenceRun, recipe: Recipe, joiner: Any) -> None:
        self.run = run
        self.model = recipe.own_model
        self.joiner = joiner
        self.options = FuseOptions.parse(recipe.options)

    def do(self, item: RunItem, lease: Lease) -> Fused:
        captions = self._captions(item)
        joints = {joint.number: joint for joint in item.fusion_joints.all()}
        fused = paragraphs(captions[0].text)
        for number, caption in enumerate(captions[1:]):
            follows = paragraphs(caption.text)
            joint = joints.get(number)
            if joint is None:
                lease.step(f"Joint {number + 1} of {len(captions) - 1}")
                joint = self._join(item, number, fused[-1], follows[0], lease)
            fused = [*fused[:-1], joint.joined_before, joint.joined_after, *follows[1:]]
        flagged = item.fusion_joints.filter(is_flagged=True).count()
        return Fused("\n\n".join(fused), [c.pk for c in captions], len(captions) - 1, flagged)

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

    def _join(
        self, item: RunItem, number: int, before: str, after: str, lease: Lease
    ) -> FusionJoint:
        joined, tries, reason = None, 0, ""
        while joined is None and tries < self.options.tries:
            tries += 1
            try:
                joined = self._ask(before, after, tries)
            except BackendError as error:
                if error.transient:
                    raise
                reason = str(error)
            else:
                reason = "" if joined else "The reply was not two paragraphs."
        first, second = joined or (before, after)
        with lease.saving():
            return FusionJoint.objects.create(
                item=item,
                number=number,
                before=before,
                after=after,
                joined_before=first,
                joined_after=second,
                tries=tries,
                is_flagged=joined is None,
                reason=reason[:500],
            )

    def _ask(self, before: str, after: str, attempt: int) -> tuple[str, str] | None:
        if hasattr(self.joiner, "join"):  # a rule without a prompt (plain-joiner)
            first, second = self.joiner.join(before, after)
            return first, second
        (reply,) = self.joiner.complete(
            [join_prompt(self.options.prompt, before, after)],
            self.options.generation(attempt),
            system=self.options.system,
        )
        if isinstance(reply, BackendError):
            raise reply
        parts = paragraphs(reply)
        return (parts[0], parts[1]) if len(parts) == 2 else None


def paragraphs(text: str) -> list[str]:
    """Return the non-empty lines of a text, which LoVR's released merger takes as paragraphs."""
    return [part for part in LINES.split(text.replace("\x00", "").strip()) if part]
