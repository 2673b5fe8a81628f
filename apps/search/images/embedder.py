"""Embedders turn pictures into vectors: the built-in descriptor, or an ONNX model that
IMAGE_EMBEDDER names.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from django.conf import settings
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

    def questions(self, image: Image.Image) -> Pixels | None:
        """Return the query vectors as rows, or None if the picture is blank. The best match of
        a product with any row counts.
        """
        ...


def image_embedder() -> ImageEmbedder:
    """Return the embedder that IMAGE_EMBEDDER names: the path of an ONNX model, or empty for
    the built-in embedder.

    Raises:
        ImproperlyConfigured: the model cannot be used; the message says what to install or correct.
    """
    return _embedder(settings.IMAGE_EMBEDDER)


@lru_cache
def _embedder(path: str) -> ImageEmbedder:
    if path:
        from apps.search.images.onnx import OnnxEmbedder

        return OnnxEmbedder(path)
    from apps.search.images.descriptor import Descriptor

    return Descriptor()
