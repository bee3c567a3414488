from annotate.urls import corpus, people, work

app_name = "annotate"
urlpatterns = [*people.urlpatterns, *corpus.urlpatterns, *work.urlpatterns]
