from django.urls import path

from annotate.projects.views import deactivation, invitations, members, projects

urlpatterns = [
    path("", projects.projects, name="projects"),
    path("projects/new/", projects.new_project, name="new_project"),
    path("join/<str:token>/", invitations.join, name="join"),
    path("p/<slug:slug>/projects/", projects.project_menu, name="project_menu"),
    path("p/<slug:slug>/settings/", projects.project_settings, name="project_settings"),
    path(
        "p/<slug:slug>/settings/duplicate/",
        projects.duplicate_project,
        name="duplicate_project",
    ),
    path("p/<slug:slug>/members/", members.members, name="members"),
    path("p/<slug:slug>/members/invite/", members.invite, name="invite"),
    path(
        "p/<slug:slug>/members/invitations/<int:invitation_id>/withdraw/",
        members.withdraw_invitation,
        name="withdraw_invitation",
    ),
    path("p/<slug:slug>/members/invite-many/", members.invite_many, name="invite_many"),
    path(
        "p/<slug:slug>/members/invitations/<int:invitation_id>/renew/",
        members.renew_invitation,
        name="renew_invitation",
    ),
    path(
        "p/<slug:slug>/members/<int:membership_id>/roles/",
        members.change_roles,
        name="change_roles",
    ),
    path(
        "p/<slug:slug>/members/<int:membership_id>/subcategories/",
        members.assign_subcategories,
        name="assign_subcategories",
    ),
    path(
        "p/<slug:slug>/members/<int:membership_id>/program/",
        members.declare_program,
        name="declare_program",
    ),
    path(
        "p/<slug:slug>/members/<int:membership_id>/deactivate/",
        deactivation.deactivate,
        name="deactivate_member",
    ),
    path(
        "p/<slug:slug>/members/<int:membership_id>/reactivate/",
        deactivation.reactivate,
        name="reactivate_member",
    ),
    path(
        "p/<slug:slug>/members/<int:membership_id>/password/",
        members.password_link,
        name="password_link",
    ),
    path(
        "p/<slug:slug>/members/<int:membership_id>/remove/",
        members.remove_member,
        name="remove_member",
    ),
]
