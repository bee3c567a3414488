from django.urls import path

from annotate.webhooks import views

WEBHOOKS = "p/<slug:slug>/settings/webhooks/"
WEBHOOK = f"{WEBHOOKS}<int:webhook_id>/"
urlpatterns = [
    path(WEBHOOKS, views.webhooks, name="webhooks"),
    path(f"{WEBHOOKS}add/", views.add, name="add_webhook"),
    path(f"{WEBHOOK}change/", views.change, name="change_webhook"),
    path(f"{WEBHOOK}on/", views.on, name="turn_on_webhook"),
    path(f"{WEBHOOK}off/", views.off, name="turn_off_webhook"),
    path(f"{WEBHOOK}delete/", views.delete, name="delete_webhook"),
    path(f"{WEBHOOK}test/", views.test, name="test_webhook"),
]
