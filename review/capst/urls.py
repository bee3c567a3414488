from django.urls import path

from review.capst import views

urlpatterns = [
    path("p/<slug:slug>/capst/start/", views.start, name="start_capst_run"),
    path("p/<slug:slug>/capst/again/", views.again, name="rerun_outdated"),
    path("p/<slug:slug>/capst/prompts/", views.load, name="load_capst_prompts"),
    path("p/<slug:slug>/capst/prompts/own/", views.use_own, name="use_own_capst_prompts"),
    path("p/<slug:slug>/capst/find/", views.find, name="find_elements"),
    path("p/<slug:slug>/capst/hand-out/", views.hand_out, name="hand_out_elements"),
    path("p/<slug:slug>/capst/runs/<int:judging_id>/", views.run, name="capst_run"),
    path(
        "p/<slug:slug>/capst/runs/<int:judging_id>/cancel/", views.cancel, name="cancel_capst_run"
    ),
    path(
        "p/<slug:slug>/capst/runs/<int:judging_id>/resume/", views.resume, name="resume_capst_run"
    ),
    path(
        "p/<slug:slug>/capst/runs/<int:judging_id>/clips/<int:judged_id>/",
        views.clip,
        name="capst_clip",
    ),
]
