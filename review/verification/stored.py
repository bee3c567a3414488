"""A stored verification as the judgement that it was.

Both read all of its verdicts, which a caller should have prefetched.
"""

from __future__ import annotations

from annotate.text.sentences import Sentence
from review.models import Verification
from review.verification.judgement import Judgement, Missing, Verdict, parse_types


def judgement_of(verification: Verification) -> Judgement:
    """What was stored, as it was judged."""
    return Judgement(
        tuple(
            Verdict(
                parse_types(stored.types),
                stored.correction,
                stored.is_deleted,
                (stored.start_frame, stored.end_frame) if stored.start_frame is not None else None,
            )
            for stored in verification.verdicts.all()
        ),
        tuple(
            Missing(stored.place, stored.text, stored.start_frame, stored.end_frame)
            for stored in verification.missing_segments.all()
        ),
        verification.fits_theme,
    )


def judged_sentences(verification: Verification) -> list[Sentence]:
    """As they were cut then, which takes no time either."""
    text = verification.caption.text
    return [
        Sentence(stored.start, stored.end, text[stored.start : stored.end])
        for stored in verification.verdicts.all()
    ]
