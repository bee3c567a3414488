from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Corpus and annotation"

    def ready(self) -> None:
        """Register the work that people and workers do; its classes need the models."""
        from annotate import checks  # noqa: F401  it registers itself
        from annotate.archive.kinds import register_archive_kind
        from annotate.candidates.jobs import CutCandidates, ImportCandidates
        from annotate.clip_changes.jobs import ChangeClips
        from annotate.corpus.archiving import ArchiveClip, ArchiveVideo
        from annotate.corpus.outcomes import text_outcomes
        from annotate.datasets.jobs import ImportDataset
        from annotate.dynamics.work import Dynamics
        from annotate.handwrite.work import HandWriting
        from annotate.imports.jobs import ImportVideos
        from annotate.jobs.kinds import register_job_kind
        from annotate.merge.work import Merge
        from annotate.queue.outcomes import register_outcomes
        from annotate.queue.work_kinds import register_work
        from annotate.signoff.work import SignOffTexts
        from annotate.split.work import Split
        from annotate.write.work import WriteUp

        register_work(WriteUp(), Merge(), Split(), SignOffTexts(), Dynamics(), HandWriting())
        register_outcomes(text_outcomes)
        register_archive_kind(ArchiveVideo(), ArchiveClip())
        register_job_kind(ImportVideos())
        register_job_kind(ImportDataset())
        register_job_kind(ImportCandidates())
        register_job_kind(CutCandidates())
        register_job_kind(ChangeClips())
