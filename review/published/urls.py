from django.urls import path

from review.published import views

_IMPORTS = "p/<slug:slug>/human-captions"
urlpatterns = [
    path(f"{_IMPORTS}/", views.human_captions, name="human_captions"),
    path(f"{_IMPORTS}/check/", views.check, name="check_human_captions"),
    path(f"{_IMPORTS}/<int:import_id>/", views.human_import, name="human_import"),
    path(f"{_IMPORTS}/<int:import_id>/errors.csv", views.faults, name="human_import_faults"),
    path(f"{_IMPORTS}/<int:import_id>/import/", views.run_import, name="import_human_captions"),
    path(f"{_IMPORTS}/<int:import_id>/remove/", views.remove, name="remove_human_captions"),
]
