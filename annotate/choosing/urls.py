from django.urls import path

from annotate.choosing import views

urlpatterns = [
    path("p/<slug:slug>/choose/<slug:kind>/", views.choices, name="choices"),
    path("p/<slug:slug>/choose/<slug:kind>/<int:item_id>/", views.choose, name="choose"),
]
