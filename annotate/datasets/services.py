"""Import the labeled clips of a data set completely, or not at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction

from annotate.audit import record_event
from annotate.corpus.clip_names import folded_name
from annotate.datasets.faults import DatasetInvalid, Fault, Faults
from annotate.datasets.places import Place, counted, find_places
from annotate.datasets.rows import LabeledClip, LabelRow, without_suffix
from annotate.errors import AnnotateError
from annotate.models import ActionLabel, Clip, Project, User, Video
from annotate.text.events import event_in

BATCH_SIZE = 1000


@dataclass(frozen=True)
class Imported:
    """`labelled` clips existed without a label, `unchanged` ones with the same label."""

    labels: int
    clips: int
    labelled: int
    unchanged: int

    def __str__(self) -> str:
        summary = f"{counted(self.clips, 'new clip')} and {counted(self.labels, 'new label')}."
        if self.labelled:
            summary += f" {counted(self.labelled, 'clip')} without a label got one."
        if self.unchanged:
            summary += f" {counted(self.unchanged, 'clip')} had this label already."
        return summary


@transaction.atomic
def import_dataset(
    *,
    project: Project,
    admin: User | None,
    clips: Sequence[LabeledClip] = (),
    clips_file: str = "",
    labels: Sequence[LabelRow] = (),
    labels_file: str = "",
    left_out: list[Fault] | None = None,
) -> Imported:
    """Store new labels, and new clips with their labels; existing ones don't change.

    The videos must be imported first. A clip is part of the playback file of its source: frame n of
    a file with a constant frame rate is frame n there, and a time span has the frames that begin in
    it. A clip that is a file of its own is the whole file.

    `left_out` gets the faults of skipped rows; only a file without a valid row raises
    DatasetInvalid then. Without it, any fault raises, and nothing is stored.
    """
    project = Project.objects.lock(project.pk)
    refuse_other_protocol(project)
    label_ids, new_labels = _store_labels(project, labels, Faults(labels_file, left_out))
    faults = Faults(clips_file, left_out)
    _refuse_unknown(clips, label_ids, faults)
    places = find_places(project, faults.kept(clips), faults)
    new, unlabelled, unchanged = _compare(project, faults.kept(places), faults)
    places = faults.leave_out(places)
    if left_out and not (places or new_labels):
        raise DatasetInvalid(left_out)
    _create(project, new, label_ids)
    _label(unlabelled, label_ids)
    _note_sources(places)
    imported = Imported(new_labels, len(new), len(unlabelled), unchanged)
    record_event(
        actor=admin,
        verb="import dataset",
        subject=project,
        project=project,
        after={
            **asdict(imported),
            "files": [name for name in (clips_file, labels_file) if name],
            "faults left out": len(left_out or ()),
        },
    )
    return imported


def refuse_other_protocol(project: Project) -> None:
    if "labels" not in project.pipeline.keys:
        raise AnnotateError("Only a project with the protocol TF-CoVR can have labeled clips.")


def _store_labels(
    project: Project, labels: Sequence[LabelRow], faults: Faults
) -> tuple[dict[str, int], int]:
    """Return the primary keys of all labels of the project by `key`, and the number of new ones."""
    existing = {label.key: label for label in ActionLabel.objects.filter(project=project)}
    new = []
    for row in labels:
        stored = existing.get(row.key)
        if stored is None:
            event = row.event or event_in(row.caption)
            new.append(
                ActionLabel(
                    project=project,
                    key=row.key,
                    caption=row.caption,
                    domain=row.domain,
                    event=event,
                )
            )
        elif stored.caption != row.caption:
            mend = f"Label {row.key} already means {stored.caption!r}. Use that, or another label."
            faults.add(row.row, "caption", mend)
        elif row.domain and stored.domain != row.domain:
            mend = f"Label {row.key} already has the source {stored.domain!r}. Use that."
            faults.add(row.row, "source", mend)
        elif row.event and stored.event != row.event:
            mend = f"Label {row.key} already has the event {stored.event!r}. Use that."
            faults.add(row.row, "event", mend)
    faults.leave_out(labels)
    ActionLabel.objects.bulk_create(new, batch_size=BATCH_SIZE)
    stored_labels = ActionLabel.objects.filter(project=project).values_list("key", "pk")
    return dict(stored_labels), len(new)


def _refuse_unknown(
    clips: Sequence[LabeledClip], label_ids: dict[str, int], faults: Faults
) -> None:
    """Add a fault for each unknown label."""
    unknown: dict[str, list[str]] = defaultdict(list)
    for clip in clips:
        if clip.label not in label_ids:
            unknown[clip.label].append(clip.row)
    for label, rows in unknown.items():
        faults.add_to_all(
            rows,
            "label",
            f"Label {label!r} is unknown ({counted(len(rows), 'clip')}). "
            "Add it to the labels file.",
        )


def _compare(
    project: Project, places: Sequence[Place], faults: Faults
) -> tuple[list[Place], list[tuple[int, str]], int]:
    """Return the places without a clip, (primary key, label) of clips without a label, and the
    number of clips that have the label.

    An existing clip keeps its name, whatever the file calls it.
    """
    clips = Clip.objects.filter(project=project)
    existing = {
        (video, start, end): (pk, label)
        for video, start, end, pk, label in clips.values_list(
            "video_id", "start_frame", "end_frame", "pk", "label__key"
        ).iterator()
    }
    names = {folded_name(name) for name in clips.values_list("name", flat=True).iterator()}
    new, unlabelled, unchanged = [], [], 0
    for place in places:
        row, name, label = place.clip.row, place.clip.name, place.clip.label
        pk, stored = existing.get(place.key, (None, None))
        if pk is None and folded_name(name) in names:
            faults.add(
                row, "", f"The project has a clip {name} with other frames. Rename it in the file."
            )
        elif pk is None:
            new.append(place)
        elif stored is None:
            unlabelled.append((pk, label))
        elif stored == label:
            unchanged += 1
        else:
            mend = f"{name} already has the label {stored}, not {label}. Use that, or correct it."
            faults.add(row, "label", mend)
    return new, unlabelled, unchanged


def _create(project: Project, places: Sequence[Place], label_ids: dict[str, int]) -> None:
    Clip.objects.bulk_create(
        [
            Clip(
                project=project,
                video=place.video,
                name=place.clip.name,
                start_frame=place.start,
                end_frame=place.end,
                duration_ms=round((place.end - place.start) / place.video.fps * 1000),
                label_id=label_ids[place.clip.label],
            )
            for place in places
        ],
        batch_size=BATCH_SIZE,
    )


def _label(unlabelled: Sequence[tuple[int, str]], label_ids: dict[str, int]) -> None:
    by_label: dict[str, list[int]] = defaultdict(list)
    for pk, label in unlabelled:
        by_label[label].append(pk)
    for label, keys in by_label.items():
        for batch in _batches(keys):
            Clip.objects.filter(pk__in=batch).update(label=label_ids[label])


def _note_sources(places: Sequence[Place]) -> None:
    """Store the long video that each file was cut from before it was imported."""
    parts: dict[str, list[int]] = defaultdict(list)
    for place in places:
        if place.clip.source != without_suffix(place.video.original_name):
            parts[place.clip.source].append(place.video.pk)
    for source, keys in parts.items():
        for batch in _batches(keys):
            Video.objects.filter(pk__in=batch, cut_from="").update(cut_from=source)


def _batches(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    return (keys[start : start + BATCH_SIZE] for start in range(0, len(keys), BATCH_SIZE))
