from django.urls import path

from annotate.jobs import views

urlpatterns = [
    path("p/<slug:slug>/jobs/", views.jobs, name="jobs"),
    path("p/<slug:slug>/jobs/live/", views.jobs_live, name="jobs_live"),
    path("p/<slug:slug>/jobs/<int:job_id>/", views.job, name="job"),
    path("p/<slug:slug>/jobs/<int:job_id>/live/", views.job_live, name="job_live"),
    path("p/<slug:slug>/jobs/<int:job_id>/import/", views.import_state, name="import_state"),
    path("p/<slug:slug>/jobs/<int:job_id>/errors.csv", views.import_faults, name="import_faults"),
    path("p/<slug:slug>/jobs/<int:job_id>/cancel/", views.cancel, name="cancel_job"),
    path("p/<slug:slug>/jobs/<int:job_id>/retry/", views.retry, name="retry_job"),
    path("p/<slug:slug>/jobs/<int:job_id>/requeue/", views.requeue, name="requeue_job"),
]
