from django.urls import path

from annotate.webhooks import views

WEBHOOKS = "p/<slug:slug>/settings/webhooks/"
WEBHOOK = f"{WEBHOOKS}<int:webhook_id>/"
urlpatterns = [
    path(WEBHOOKS, views.webhooks, name="webhooks"),
    path(f"{WEBHOOKS}add/", views.add, name="add_webhook"),
    path(WEBHOOK, views.webhook, name="webhook"),
    path(f"{WEBHOOK}deliveries/", views.deliveries, name="webhook_deliveries"),
    path(f"{WEBHOOK}change/", views.change, name="change_webhook"),
    path(f"{WEBHOOK}on/", views.on, name="turn_on_webhook"),
    path(f"{WEBHOOK}off/", views.off, name="turn_off_webhook"),
    path(f"{WEBHOOK}rotate/", views.rotate, name="rotate_webhook"),
    path(f"{WEBHOOK}delete/", views.delete, name="delete_webhook"),
    path(f"{WEBHOOK}test/", views.test, name="test_webhook"),
    path(f"{WEBHOOK}deliveries/<int:delivery_id>/", views.again, name="redeliver_webhook"),
]
