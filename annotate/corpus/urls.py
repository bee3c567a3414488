from django.urls import path

from annotate.corpus.views import clips, corpus, labels, media, near_duplicates

urlpatterns = [
    path("p/<slug:slug>/corpus/", corpus.corpus, name="corpus"),
    path("p/<slug:slug>/corpus/balance/", corpus.balance, name="corpus_balance"),
    path(
        "p/<slug:slug>/corpus/near-duplicates/",
        near_duplicates.near_duplicates,
        name="near_duplicates",
    ),
    path(
        "p/<slug:slug>/corpus/near-duplicates/<int:pair_id>/keep-both/",
        near_duplicates.keep_both,
        name="keep_both",
    ),
    path(
        "p/<slug:slug>/corpus/near-duplicates/<int:pair_id>/undo-keep-both/",
        near_duplicates.undo_keep_both,
        name="undo_keep_both",
    ),
    path("p/<slug:slug>/clips/<int:clip_id>/", clips.clip, name="clip"),
    path(
        "p/<slug:slug>/clips/<int:clip_id>/facts/",
        clips.change_video_facts,
        name="change_video_facts",
    ),
    path("p/<slug:slug>/clips/<int:clip_id>/withdraw/", clips.withdraw, name="withdraw_clip"),
    path("p/<slug:slug>/clips/<int:clip_id>/take-back/", clips.take_back, name="take_back_clip"),
    path(
        "p/<slug:slug>/clips/<int:clip_id>/captions/<int:caption_id>/make-current/",
        clips.make_current,
        name="make_current",
    ),
    path("p/<slug:slug>/videos/<int:video_id>/playback.mp4", media.playback, name="media_playback"),
    path("signed/<str:signed>.mp4", media.signed_clip, name="signed_clip"),
    path("p/<slug:slug>/clips/<int:clip_id>/poster.jpg", media.poster, name="media_poster"),
    path(
        "p/<slug:slug>/videos/<int:video_id>/filmstrip.jpg",
        media.filmstrip,
        name="media_filmstrip",
    ),
    path(
        "p/<slug:slug>/clips/<int:clip_id>/label/",
        clips.correct_clip_label,
        name="correct_clip_label",
    ),
    path("p/<slug:slug>/labels/", labels.labels, name="labels"),
    path("p/<slug:slug>/labels/<int:label_id>/", labels.label, name="label"),
    path(
        "p/<slug:slug>/labels/<int:label_id>/correct/", labels.correct_label, name="correct_label"
    ),
    path(
        "p/<slug:slug>/labels/<int:label_id>/count-as-one/",
        labels.count_as_one,
        name="count_as_one",
    ),
    path(
        "p/<slug:slug>/labels/<int:label_id>/count-apart/", labels.count_apart, name="count_apart"
    ),
]
