from django.urls import path

from annotate.imports.views import addresses, imports, uploads

urlpatterns = [
    path("p/<slug:slug>/videos/upload/", uploads.upload, name="upload"),
    path("p/<slug:slug>/videos/addresses/", addresses.addresses, name="addresses"),
    path(
        "p/<slug:slug>/videos/addresses/import/",
        addresses.import_addresses,
        name="import_addresses",
    ),
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
