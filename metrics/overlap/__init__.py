"""Word overlap of a model's captions with human captions: BLEU-4, METEOR, ROUGE-L and CIDEr.

Call `caption_overlap` of `compare.py`. It imports sacrebleu and nltk when it computes, so that
processes which only show results never load them. `counts.py` computes the scores from what was
counted, without any of these packages.
"""
