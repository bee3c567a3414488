"""What tests of the release studio look at."""

from django.urls import reverse

from tests.cast import client_of


def studio_of(project):
    return reverse("review:release_studio", args=[project.slug])


def checks_of(project):
    """The same page with the content and what the checks find."""
    return reverse("review:release_checks", args=[project.slug])


def following(person, project):
    """What the page says would be released next."""
    return client_of(person).get(checks_of(project)).context["following"]


def names_by_gate(findings):
    """Return the names that each check lists, by the name of the check."""
    return {
        finding.gate.name: [entry.name for entry in finding.names]
        for finding in findings
        if finding.names
    }
