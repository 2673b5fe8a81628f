"""Who turns pictures into numbers: the built-in descriptor, or an ONNX model that IMAGE_EMBEDDER names."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from django.conf import settings
from PIL import Image

from apps.catalog.search.images.foreground import Pixels


class ImageEmbedder(Protocol):
    """Vectors are of length 1, so that the product of two is how alike the pictures are. Vectors of one `name` can be compared."""

    name: str
    dimensions: int
    # Below this likeness a product is not shown at all.
    least_score: float

    def describe(self, image: Image.Image) -> Pixels | None:
        """Return the vector of an RGB picture for the index; None where nothing is on it."""
        ...

    def questions(self, image: Image.Image) -> Pixels | None:
        """Return the vectors to search by, as rows, of which the best fit counts; None where nothing is on the picture."""
        ...


def image_embedder() -> ImageEmbedder:
    """Return the embedder that IMAGE_EMBEDDER names: a path of an ONNX model, empty for the built-in one.

    Raises:
        ImproperlyConfigured: the model cannot be used here; the message says what to install or to put right.
    """
    return _embedder(settings.IMAGE_EMBEDDER)


@lru_cache
def _embedder(path: str) -> ImageEmbedder:
    if path:
        from apps.catalog.search.images.onnx import OnnxEmbedder

        return OnnxEmbedder(path)
    from apps.catalog.search.images.descriptor import Descriptor

    return Descriptor()
