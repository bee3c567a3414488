"""The API of projects, their members and invitations."""

from annotate.projects.api import deactivation, invitations, members, projects

urlpatterns = [
    *projects.urlpatterns,
    *members.urlpatterns,
    *deactivation.urlpatterns,
    *invitations.urlpatterns,
]
