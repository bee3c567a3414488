from annotate.jobs import urls as jobs
from annotate.urls import corpus, people, work

app_name = "annotate"
# Tried in this order: first what the work pages' scripts ask for every few seconds.
urlpatterns = [*work.urlpatterns, *people.urlpatterns, *corpus.urlpatterns, *jobs.urlpatterns]
