"""Embedders turn pictures into vectors: the built-in descriptor, or an ONNX model that
IMAGE_EMBEDDER names. The model has one pixel input (1 × 3 × height × width) and one vector output.
"""

from __future__ import annotations

import hashlib
import importlib
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from PIL import Image

from apps.search.images.foreground import Pixels


class ImageEmbedder(Protocol):
    """Turns a picture into vectors of length 1. The dot product of two vectors is the
    similarity of the pictures. Only vectors of the same `name` can be compared.
    """

    name: str
    dimensions: int
    # Products with a lower similarity are not shown.
    least_score: float

    def describe(self, image: Image.Image) -> Pixels | None:
        """Return the vector of an RGB picture for the index, or None if the picture is blank."""
        ...

    def compute_query_vectors(self, image: Image.Image) -> Pixels | None:
        """Return the query vectors as rows, or None if the picture is blank. The best match of
        a product with any row counts.
        """
        ...


def get_image_embedder() -> ImageEmbedder:
    """Return the embedder that IMAGE_EMBEDDER names: the path of an ONNX model, or empty for
    the built-in embedder.

    Raises:
        ImproperlyConfigured: the model cannot be used; the message says what to install or correct.
    """
    return _load_embedder(settings.IMAGE_EMBEDDER)


@lru_cache
def _load_embedder(path: str) -> ImageEmbedder:
    if path:
        return OnnxEmbedder(path)
    from apps.search.images.descriptor import Descriptor

    return Descriptor()


# Mean and deviation of ImageNet; nearly all published models are trained with them.
MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
SPREAD = np.array([0.229, 0.224, 0.225], dtype=np.float32)
USUAL_SIDE = 224


class OnnxEmbedder:
    """The model of one file. `onnxruntime` is not a dependency of the mall; install it to use a
    model.
    """

    least_score = 0.3

    def __init__(self, path: str) -> None:
        """Load the model.

        Raises:
            ImproperlyConfigured: the file or onnxruntime is missing, or the model does not map one
                picture to one vector.
        """
        try:
            runtime: Any = importlib.import_module("onnxruntime")
        except ImportError as error:
            raise ImproperlyConfigured(
                "IMAGE_EMBEDDER names a model: install onnxruntime or leave it empty"
            ) from error
        if not Path(path).is_file():
            raise ImproperlyConfigured(f"IMAGE_EMBEDDER: there is no file {path}")
        self._session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1 or len(inputs[0].shape) != 4:
            raise ImproperlyConfigured(
                "IMAGE_EMBEDDER: the model must take one picture as 1 × 3 × height × width"
            )
        self._input, self._output = inputs[0].name, outputs[0].name
        side = inputs[0].shape[2]
        self._side = side if isinstance(side, int) else USUAL_SIDE
        # A different model has a different name, so that the job computes all vectors again.
        self.name = (
            f"onnx:{Path(path).stem[:40]}"
            f":{hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]}"
        )
        self.dimensions = len(self._embed_picture(Image.new("RGB", (self._side, self._side))))

    def describe(self, image: Image.Image) -> Pixels | None:
        """Return the model's vector of the whole picture."""
        return self._embed_picture(image)

    def compute_query_vectors(self, image: Image.Image) -> Pixels | None:
        """Return the same vector as one row. A model handles rotations and crops itself."""
        return self._embed_picture(image)[None]

    def _embed_picture(self, image: Image.Image) -> Pixels:
        """Return the network's vector of the picture, scaled to length 1."""
        resized = image.resize((self._side, self._side), Image.Resampling.BICUBIC)
        pixels = (np.asarray(resized, dtype=np.float32) / 255 - MEAN) / SPREAD
        (output,) = self._session.run(
            [self._output], {self._input: pixels.transpose(2, 0, 1)[None]}
        )
        vector = np.asarray(output, dtype=np.float32).ravel()
        unit_vector: Pixels = vector / max(float(np.linalg.norm(vector)), 1e-6)
        return unit_vector
