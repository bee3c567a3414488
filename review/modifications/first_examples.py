"""Our own examples to start a prompt with, for the labels of TF-CoVR's two data sets.

The labels are written as in the data sets; the modifications are ours, since the paper's 25
examples (appendix B) aren't published.
"""

from __future__ import annotations

_GYMNASTICS = (
    (
        "(Floor Exercise) salto backward stretched with 1 twist",
        "(Floor Exercise) salto backward stretched with 2.5 twist",
        "show with 2.5 twists",
    ),
    (
        "(Floor Exercise) double salto backward stretched",
        "(Floor Exercise) double salto backward stretched with 1 twist",
        "add 1 twist",
    ),
    (
        "(Floor Exercise) double salto backward stretched with 2 twist",
        "(Floor Exercise) double salto backward stretched",
        "without the twists",
    ),
    (
        "(Floor Exercise) double salto backward stretched",
        "(Floor Exercise) salto backward stretched",
        "show a single salto instead of a double one",
    ),
    (
        "(Vault) round-off, flic-flac with 0.5 turn on, piked salto forward off",
        "(Vault) round-off, flic-flac with 0.5 turn on, piked salto forward with 0.5 turn off",
        "show with 0.5 turn off",
    ),
    (
        "(Vault) round-off, flic-flac with 0.5 turn on, stretched salto forward with 0.5 turn off",
        "(Vault) round-off, flic-flac with 0.5 turn on, tucked salto forward with 0.5 turn off",
        "change the stretched salto to a tucked one",
    ),
)
_DIVING = (
    (
        "Forward, 3.5 Soms.Pike, Entry",
        "Forward, 4.5 Soms.Pike, Entry",
        "show with 4.5 somersaults",
    ),
    ("Back, 2.5 Soms.Tuck, Entry", "Back, 2.5 Soms.Pike, Entry", "change to the pike position"),
    ("Inward, 2.5 Soms.Tuck, Entry", "Reverse, 2.5 Soms.Tuck, Entry", "show a reverse take-off"),
    (
        "Reverse, 3.5 Twists, 1.5 Soms.Pike, Entry",
        "Reverse, 2.5 Twists, 2.5 Soms.Pike, Entry",
        "show with 2.5 twists and 2.5 somersaults",
    ),
    (
        "Arm.Back, 3 Soms.Pike, Entry",
        "Arm.Reverse, 3 Soms.Tuck, Entry",
        "take off in reverse and change to the tuck position",
    ),
)
_OF_DOMAIN = {"gymnastics": _GYMNASTICS, "diving": _DIVING}


def first_examples(domain: str) -> list[dict[str, str]]:
    """Return the examples for labels of this domain; none for a domain that we don't know."""
    return [
        {"source": source, "target": target, "modification": modification}
        for source, target, modification in _OF_DOMAIN.get(domain.strip().lower(), ())
    ]
