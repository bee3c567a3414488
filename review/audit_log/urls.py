from django.urls import path

from review.audit_log import views

LOG = "p/<slug:slug>/audit-log/"
urlpatterns = [
    path(LOG, views.audit_log, name="audit_log"),
    path(f"{LOG}download/", views.download, name="download_audit_log"),
]
