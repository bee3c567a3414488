from django.urls import path

from annotate.corpus.views import clips, corpus, labels, media

urlpatterns = [
    path("p/<slug:slug>/corpus/", corpus.corpus, name="corpus"),
    path("p/<slug:slug>/corpus/balance/", corpus.balance, name="corpus_balance"),
    path("p/<slug:slug>/clips/<int:clip_id>/", clips.clip, name="clip"),
    path(
        "p/<slug:slug>/clips/<int:clip_id>/facts/",
        clips.change_video_facts,
        name="change_video_facts",
    ),
    path(
        "p/<slug:slug>/clips/<int:clip_id>/captions/<int:caption_id>/make-current/",
        clips.make_current,
        name="make_current",
    ),
    path("p/<slug:slug>/videos/<int:video_id>/playback.mp4", media.playback, name="media_playback"),
    path("p/<slug:slug>/clips/<int:clip_id>/poster.jpg", media.poster, name="media_poster"),
    path(
        "p/<slug:slug>/videos/<int:video_id>/filmstrip.jpg",
        media.filmstrip,
        name="media_filmstrip",
    ),
    path("p/<slug:slug>/labels/", labels.labels, name="labels"),
]
