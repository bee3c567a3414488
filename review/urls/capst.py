"""CapST: its results, its runs, object leakage, and checking the elements of captions."""

from django.urls import path

from review.views import capst, elements

urlpatterns = [
    path("p/<slug:slug>/capst/", capst.capst, name="capst"),
    path("p/<slug:slug>/capst/live/", capst.live, name="capst_live"),
    path("p/<slug:slug>/capst/start/", capst.start, name="start_capst_run"),
    path("p/<slug:slug>/capst/again/", capst.again, name="judge_capst_again"),
    path("p/<slug:slug>/capst/find/", capst.find, name="find_elements"),
    path("p/<slug:slug>/capst/hand-out/", capst.hand_out, name="hand_out_elements"),
    path("p/<slug:slug>/capst/recompute/", capst.recompute, name="recompute_capst"),
    path("p/<slug:slug>/capst/leakage/", capst.leakage, name="leakage"),
    path("p/<slug:slug>/capst/leakage/live/", capst.leakage_live, name="leakage_live"),
    path(
        "p/<slug:slug>/capst/leakage/recompute/",
        capst.recompute_leakage,
        name="recompute_leakage",
    ),
    path("p/<slug:slug>/capst/runs/<int:judging_id>/", capst.run, name="capst_run"),
    path("p/<slug:slug>/capst/runs/<int:judging_id>/stop/", capst.stop, name="stop_capst_run"),
    path("p/<slug:slug>/capst/runs/<int:judging_id>/go-on/", capst.go_on, name="go_on_capst_run"),
    path(
        "p/<slug:slug>/capst/runs/<int:judging_id>/clips/<int:judged_id>/",
        capst.clip,
        name="capst_clip",
    ),
    path(
        "assignments/<int:assignment_id>/elements/<slug:kind>/check/",
        elements.check,
        name="check_elements",
    ),
]
