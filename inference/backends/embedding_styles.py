"""The names of a video-language model's ways to embed, for forms; `hf/pooling.py` has the ways."""

AUTO = "auto"
CARE = "CARE"
EMBEDDING_STYLES = (CARE, "E5-V", "GME", "VLM2Vec", "Qwen3-VL-Embedding")
LAST_TOKEN, MEAN = "last token", "mean"
VIDEO, FRAMES = "video", "frames"
