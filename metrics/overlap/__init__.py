"""Word overlap of a model's captions with human captions: BLEU-4, METEOR, ROUGE-L and CIDEr.

Call `caption_overlap`. It imports sacrebleu and nltk when it computes, so that processes which only
show results never load them.
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
