from django.urls import include, path

from inference.runs.views import new_run, runs
from inference.scores import views as scores
from inference.servers import views as servers
from inference.specs import views as models
from inference.themes import views as themes

app_name = "inference"
urlpatterns = [
    path("servers/", servers.servers, name="servers"),
    path("servers/new/", servers.new_server, name="new_server"),
    path("servers/<int:server_id>/", servers.server, name="server"),
    path("servers/<int:server_id>/prices/", servers.prices, name="server_prices"),
    path("servers/<int:server_id>/use/", servers.use, name="use_server"),
    path("servers/<int:server_id>/delete/", servers.delete, name="delete_server"),
    path("servers/<int:server_id>/test/", servers.test, name="test_server"),
    path("servers/<int:server_id>/report/", servers.report, name="server_report"),
    path("p/<slug:slug>/models/", models.models, name="models"),
    path("p/<slug:slug>/models/new/", models.new_model, name="new_model"),
    path("p/<slug:slug>/models/built-in/", models.add_built_in, name="add_built_in_models"),
    path("p/<slug:slug>/models/<int:model_id>/", models.model, name="model"),
    path("p/<slug:slug>/models/<int:model_id>/use/", models.use, name="use_model"),
    path("p/<slug:slug>/models/<int:model_id>/place/", models.place, name="place_model"),
    path("p/<slug:slug>/runs/", runs.runs, name="runs"),
    path("p/<slug:slug>/runs/live/", runs.runs_live, name="runs_live"),
    path("p/<slug:slug>/runs/new/", new_run.new_run, name="new_run"),
    path("p/<slug:slug>/runs/new/preview/", new_run.preview, name="preview_run"),
    path("p/<slug:slug>/runs/<int:run_id>/", runs.run, name="run"),
    path("p/<slug:slug>/runs/<int:run_id>/live/", runs.run_live, name="run_live"),
    path("p/<slug:slug>/runs/<int:run_id>/cancel/", runs.cancel, name="cancel_run"),
    path("p/<slug:slug>/runs/<int:run_id>/retry/", runs.retry, name="retry_run"),
    path("p/<slug:slug>/runs/<int:run_id>/requeue/", runs.requeue, name="requeue_run"),
    path("p/<slug:slug>/themes/", themes.themes, name="themes"),
    path(
        "p/<slug:slug>/themes/<int:video_id>/correct/", themes.correct_theme, name="correct_theme"
    ),
    path(
        "p/<slug:slug>/themes/<int:video_id>/take-back/",
        themes.take_back,
        name="take_back_theme",
    ),
    path("p/<slug:slug>/clips/<int:clip_id>/scores/", scores.clip_scores, name="clip_scores"),
    path("", include("inference.videos.urls")),
]
