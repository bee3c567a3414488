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


def found(findings):
    """What each check names, by its own name."""
    return {
        finding.gate.name: [named.name for named in finding.names]
        for finding in findings
        if finding.names
    }
