from django.urls import path

from annotate.notices import views

urlpatterns = [
    path("notices/", views.notices, name="notices"),
    path("notices/read/", views.mark_all_read, name="read_notices"),
    path("notices/settings/", views.choices, name="notice_choices"),
    path("notices/<int:notice_id>/", views.open_notice, name="open_notice"),
    path("notices/<int:notice_id>/read/", views.mark_read, name="read_notice"),
]
