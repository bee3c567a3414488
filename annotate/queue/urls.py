from django.urls import path

from annotate.queue.views import asking, guideline, my_work, offline, work

urlpatterns = [
    path("p/<slug:slug>/", my_work.my_work, name="my_work"),
    path("p/<slug:slug>/claim/<slug:kind>/", work.claim, name="claim"),
    path("assignments/<int:assignment_id>/", work.work, name="work"),
    path("assignments/service-worker.js", offline.service_worker, name="service_worker"),
    path("assignments/<int:assignment_id>/draft/", work.save_draft, name="save_draft"),
    path("assignments/<int:assignment_id>/heartbeat/", work.heartbeat, name="heartbeat"),
    path("assignments/<int:assignment_id>/submit/", work.submit, name="submit"),
    path("assignments/<int:assignment_id>/skip/", work.skip, name="skip"),
    path("assignments/<int:assignment_id>/question/", asking.ask, name="ask"),
    path("p/<slug:slug>/questions/<int:question_id>/read/", asking.mark_read, name="read_answer"),
    path(
        "assignments/<int:assignment_id>/guideline-seen/",
        guideline.guideline_seen,
        name="guideline_seen",
    ),
    path("assignments/<int:assignment_id>/take-again/", work.take_again, name="take_again"),
]
