"""How much a model's captions have in common with human captions, word by word: BLEU-4, METEOR,
ROUGE-L and CIDEr.

Everything begins with `caption_overlap`. sacrebleu and nltk are imported when it computes, so that
a process which only shows results never loads them.
"""

from metrics.overlap.compare import caption_overlap, how_made
from metrics.overlap.result import CaptionOverlap, CaptionScores, Score
from metrics.overlap.synonyms import Synonyms, wordnet_synonyms

__all__ = [
    "CaptionOverlap",
    "CaptionScores",
    "Score",
    "Synonyms",
    "caption_overlap",
    "how_made",
    "wordnet_synonyms",
]
