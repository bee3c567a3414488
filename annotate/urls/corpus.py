from django.urls import path

from annotate.views import clips, corpus, datasets, imports, labels, media, uploads

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
    path(
        "p/<slug:slug>/clips/<int:clip_id>/send-back-split/",
        clips.send_back_split,
        name="send_back_split",
    ),
    path(
        "p/<slug:slug>/clips/<int:clip_id>/send-back-merge/",
        clips.send_back_merge,
        name="send_back_merge",
    ),
    path("p/<slug:slug>/videos/<int:video_id>/playback.mp4", media.playback, name="media_playback"),
    path("p/<slug:slug>/clips/<int:clip_id>/poster.jpg", media.poster, name="media_poster"),
    path(
        "p/<slug:slug>/videos/<int:video_id>/filmstrip.jpg",
        media.filmstrip,
        name="media_filmstrip",
    ),
    path("p/<slug:slug>/videos/upload/", uploads.upload, name="upload"),
    path("p/<slug:slug>/labels/", labels.labels, name="labels"),
    path("p/<slug:slug>/labels/import/", datasets.dataset, name="dataset"),
    path("p/<slug:slug>/imports/", imports.imports_list, name="imports"),
    path("p/<slug:slug>/imports/start/", uploads.start_batch, name="start_import"),
    path("p/<slug:slug>/imports/manifest/", uploads.check_manifest, name="check_manifest"),
    path("p/<slug:slug>/imports/<int:batch_id>/", imports.import_batch, name="import_batch"),
    path("p/<slug:slug>/imports/<int:batch_id>/rows/", imports.import_rows, name="import_rows"),
    path("p/<slug:slug>/imports/<int:batch_id>/items/", uploads.add_item, name="add_import_item"),
    path("p/<slug:slug>/imports/<int:batch_id>/requeue/", imports.requeue, name="requeue_imports"),
    path("p/<slug:slug>/imports/items/<int:item_id>/", uploads.item, name="import_item"),
    path("p/<slug:slug>/imports/items/<int:item_id>/chunks/", uploads.put_chunk, name="put_chunk"),
    path("p/<slug:slug>/imports/items/<int:item_id>/retry/", imports.retry, name="retry_import"),
    path("p/<slug:slug>/imports/items/<int:item_id>/cancel/", imports.cancel, name="cancel_import"),
]
