"""BLIP-2's retrieval model as a pair of towers."""

from __future__ import annotations

from typing import Any

import torch
from transformers.models.blip_2.modeling_blip_2 import (
    Blip2TextModelWithProjection,
    Blip2VisionModelWithProjection,
)

from inference.backends.hf.opening import Placement, open_weights
from inference.backends.protocols import ModelSettings

ARCHITECTURE = "Blip2ForImageTextRetrieval"


class Blip2Pair:
    """A picture's features are the mean over its query tokens' unit vectors, as in the code of
    TF-CoVR and CoVR-2 (`tar_feat.mean(dim=1)`); a text's are those of its first token.
    """

    def __init__(self, settings: ModelSettings, config: Any, where: Placement) -> None:
        self.seer = open_weights(Blip2VisionModelWithProjection, settings, config, where)
        self.reader = open_weights(Blip2TextModelWithProjection, settings, config, where)
        self.config, self.text_config = config, config.qformer_config
        self.device, self.dtype = self.seer.device, self.seer.dtype

    def get_image_features(self, pixel_values: torch.Tensor) -> torch.Tensor:
        vectors: torch.Tensor = self.seer(pixel_values=pixel_values).image_embeds
        return vectors.mean(dim=1)

    def get_text_features(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor
    ) -> torch.Tensor:
        vectors: torch.Tensor = self.reader(
            input_ids=input_ids, attention_mask=attention_mask
        ).text_embeds
        return vectors[:, 0]
