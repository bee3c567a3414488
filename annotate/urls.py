from annotate.archive import urls as archive
from annotate.candidates import urls as candidates
from annotate.choosing import urls as choosing
from annotate.clip_changes import urls as clip_changes
from annotate.consent import urls as consent
from annotate.corpus import urls as corpus
from annotate.datasets import urls as datasets
from annotate.dynamics import urls as dynamics
from annotate.examples import urls as examples
from annotate.imports import urls as imports
from annotate.jobs import urls as jobs
from annotate.lists import urls as lists
from annotate.merge import urls as merge
from annotate.notices import urls as notices
from annotate.projects import urls as projects
from annotate.questions import urls as questions
from annotate.queue import urls as queue
from annotate.split import urls as split
from annotate.tokens import urls as tokens
from annotate.watching import urls as watching
from annotate.webhooks import urls as webhooks
from annotate.write import urls as write

app_name = "annotate"
# Tried in this order, so the requests that work pages send every few seconds come first.
urlpatterns = [
    *queue.urlpatterns,
    *questions.urlpatterns,
    *choosing.urlpatterns,
    *merge.urlpatterns,
    *split.urlpatterns,
    *write.urlpatterns,
    *projects.urlpatterns,
    *consent.urlpatterns,
    *watching.urlpatterns,
    *examples.urlpatterns,
    *corpus.urlpatterns,
    *clip_changes.urlpatterns,
    *lists.urlpatterns,
    *dynamics.urlpatterns,
    *imports.urlpatterns,
    *datasets.urlpatterns,
    *candidates.urlpatterns,
    *jobs.urlpatterns,
    *archive.urlpatterns,
    *notices.urlpatterns,
    *tokens.urlpatterns,
    *webhooks.urlpatterns,
]
