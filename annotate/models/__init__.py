from annotate.models.archive import Archived
from annotate.models.candidates import Candidate
from annotate.models.captions import Caption, CaptionRank
from annotate.models.clip_changes import ClipChange, Tag
from annotate.models.consent import Consent, ConsentText
from annotate.models.corpus import (
    Clip,
    ClipFile,
    DynamicsDecision,
    DynamicsVerdict,
    NearDuplicate,
    Video,
)
from annotate.models.guidelines import (
    GuidelineExample,
    GuidelineVersion,
    SeenGuideline,
    ShownExample,
)
from annotate.models.imports import ImportBatch, ImportItem
from annotate.models.jobs import Job, JobItem
from annotate.models.labels import ActionLabel, ClipLabelCorrection, LabelCorrection
from annotate.models.lists import SavedView
from annotate.models.notices import Notice, NoticeChoices
from annotate.models.people import Invitation, Membership, Role, User
from annotate.models.projects import AuditEvent, Project
from annotate.models.questions import Question, QuestionMessage
from annotate.models.rules import WorkRules
from annotate.models.search import SearchableCaption
from annotate.models.shares import AssignedSubcategory
from annotate.models.sign_offs import FinalTexts, SignOff
from annotate.models.tokens import ApiToken
from annotate.models.webhooks import Webhook, WebhookDelivery
from annotate.models.work import Assignment, WorkItem
from annotate.models.workers import WorkerBeat

__all__ = [
    "ActionLabel",
    "ApiToken",
    "Archived",
    "AssignedSubcategory",
    "Assignment",
    "AuditEvent",
    "Candidate",
    "Caption",
    "CaptionRank",
    "Clip",
    "ClipChange",
    "ClipFile",
    "ClipLabelCorrection",
    "Consent",
    "ConsentText",
    "DynamicsDecision",
    "DynamicsVerdict",
    "FinalTexts",
    "GuidelineExample",
    "GuidelineVersion",
    "ImportBatch",
    "ImportItem",
    "Invitation",
    "Job",
    "JobItem",
    "LabelCorrection",
    "Membership",
    "NearDuplicate",
    "Notice",
    "NoticeChoices",
    "Project",
    "Question",
    "QuestionMessage",
    "Role",
    "SavedView",
    "SearchableCaption",
    "SeenGuideline",
    "ShownExample",
    "SignOff",
    "Tag",
    "User",
    "Video",
    "Webhook",
    "WebhookDelivery",
    "WorkItem",
    "WorkRules",
    "WorkerBeat",
]
