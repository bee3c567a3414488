from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = "Review and releases"

    def ready(self) -> None:
        from annotate.archive.kinds import register_archive_kind  # these need the models
        from annotate.corpus.blindness import register_blindness
        from annotate.corpus.label_followers import follow_labels
        from annotate.corpus.outcomes import register_fates
        from annotate.jobs.kinds import register_job_kind
        from annotate.queue.services.known_work import register_known_work
        from annotate.queue.work_kinds import register_gate, register_work
        from review import checks  # noqa: F401  it registers itself
        from review.annotation_table.jobs import ImportTable
        from review.capst.jobs import JudgeCaptions
        from review.captions.archiving import ArchiveCaptionSet
        from review.captions.import_job import ImportPredictions
        from review.comparisons.blindness import hide_compared_captions
        from review.comparisons.work import Compare
        from review.composed.jobs import RankQueries
        from review.elements.work import CheckElements
        from review.elsewhere.jobs import ImportResults
        from review.identification.blindness import hide_texts_to_identify
        from review.identification.work import Identify
        from review.modifications.jobs import WriteModifications
        from review.modifications.services import follow_pair
        from review.modifications.work import Modify
        from review.overview.archiving import ArchiveProject
        from review.pairs.decisions import follow_decisions
        from review.pairs.jobs import CompareLabels
        from review.pairs.work import JudgePair
        from review.panels.gate import gate as panel_gate
        from review.published.jobs import ImportHumanCaptions
        from review.quality.known_work import KnownAnswers, gate
        from review.ratings.blindness import hide_captions_to_rate
        from review.ratings.work import Rate
        from review.releases.gates import setting  # noqa: F401 (what a duplicate copies)
        from review.releases.jobs import BuildRelease, PackRelease
        from review.releases.released_captions import first_releases
        from review.reliability.sections import register_sections
        from review.report_kinds import register_reports
        from review.reports.jobs import ComputeReports
        from review.rounds.archiving import ArchiveRound
        from review.rounds.jobs import OpenRound
        from review.studio.jobs import CompareRelease
        from review.triplets.jobs import GenerateTriplets
        from review.triplets.label_changes import FollowLabels
        from review.triplets.set_import_job import ImportTripletSet
        from review.triplets.work import VerifyTriplet
        from review.vectors.jobs import WriteVectors
        from review.verification.blindness import hide_corrections, hide_scores_to_verify
        from review.verification.work import Verify

        register_archive_kind(ArchiveRound(), ArchiveCaptionSet(), ArchiveProject())
        register_work(
            Verify(),
            Rate(),
            JudgePair(),
            Modify(),
            VerifyTriplet(),
            Compare(),
            Identify(),
            CheckElements(),
        )
        register_known_work(KnownAnswers())
        # First, so that people who finish or fail are led back to their panel.
        register_gate(panel_gate)
        register_gate(gate)
        register_job_kind(CompareLabels())
        register_job_kind(JudgeCaptions())
        register_job_kind(WriteModifications())
        register_job_kind(BuildRelease())
        register_job_kind(PackRelease())
        register_job_kind(CompareRelease())
        register_job_kind(OpenRound())
        register_job_kind(GenerateTriplets())
        register_job_kind(RankQueries())
        register_job_kind(WriteVectors())
        register_job_kind(ComputeReports())
        register_job_kind(ImportHumanCaptions())
        register_job_kind(ImportTable())
        register_job_kind(ImportPredictions())
        register_job_kind(ImportResults())
        register_job_kind(ImportTripletSet())
        register_sections()
        register_reports()
        follow_decisions(follow_pair)
        follow_labels(FollowLabels())
        register_fates(first_releases)
        register_blindness(hide_compared_captions)
        register_blindness(hide_captions_to_rate)
        register_blindness(hide_corrections)
        register_blindness(hide_texts_to_identify)
        register_blindness(hide_scores_to_verify, only_scores=True)
