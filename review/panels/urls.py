from django.urls import path

from review.panels.views import panels, participants

PANELS = "p/<slug:slug>/panels/"
PANEL = f"{PANELS}<int:panel_id>/"
PARTICIPANT = f"{PANELS}participants/<int:participant_id>/"

urlpatterns = [
    path(PANELS, panels.panels, name="panels"),
    path(f"{PANELS}new/", panels.new, name="new_panel"),
    path(PANEL, panels.panel, name="panel"),
    path(f"{PANEL}change/", panels.change, name="change_panel"),
    path(f"{PANEL}renew/", panels.renew, name="renew_panel_link"),
    path(f"{PANEL}close/", panels.close, name="close_panel"),
    path(f"{PANEL}links/", panels.sign_links, name="sign_panel_links"),
    path(f"{PANEL}download/", panels.download, name="download_panel"),
    path(f"{PARTICIPANT}decide/", panels.decide, name="decide_participant"),
    path(f"{PARTICIPANT}delete-id/", panels.delete_id, name="delete_external_id"),
    path("panel/<str:token>/", participants.join, name="join_panel"),
    path("p/<slug:slug>/panel/", participants.own, name="own_panel"),
    path("p/<slug:slug>/panel/next/", participants.next_item, name="next_of_panel"),
]
